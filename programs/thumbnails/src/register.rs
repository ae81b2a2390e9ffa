//! Makes Explorer know the provider, for the current user: called by `regsvr32`, and undone by `regsvr32 /u`.

use windows::Win32::Foundation::{E_FAIL, ERROR_FILE_NOT_FOUND, HMODULE, MAX_PATH, S_OK};
use windows::Win32::System::LibraryLoader::GetModuleFileNameW;
use windows::Win32::System::Registry::{
    HKEY_CURRENT_USER, REG_SZ, RRF_RT_REG_SZ, RegDeleteTreeW, RegGetValueW, RegSetKeyValueW,
};
use windows::Win32::UI::Shell::{IThumbnailProvider, SHCNE_ASSOCCHANGED, SHCNF_IDLIST, SHChangeNotify};
use windows_core::{GUID, HRESULT, HSTRING, Interface, PCWSTR, Result, w};

use crate::provider::CLASS;

/// File types that contain their images.
const EXTENSIONS: [&str; 4] = ["pchr", "skf", "skfe", "sprsh"];

#[unsafe(no_mangle)]
extern "system" fn DllRegisterServer() -> HRESULT {
    finished(register())
}

#[unsafe(no_mangle)]
extern "system" fn DllUnregisterServer() -> HRESULT {
    finished(unregister())
}

fn finished(result: Result<()>) -> HRESULT {
    // SAFETY: this event has no data.
    unsafe { SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, None, None) };
    result.map_or_else(|error| error.code(), |()| S_OK)
}

fn register() -> Result<()> {
    let server = HSTRING::from(format!("{}\\InprocServer32", key_of_class()));
    set(&server, PCWSTR::null(), &path()?)?;
    set(&server, w!("ThreadingModel"), &"Apartment".into())?;
    EXTENSIONS.iter().try_for_each(|extension| set(&key_of(extension), PCWSTR::null(), &braced(CLASS).into()))
}

fn unregister() -> Result<()> {
    for key in EXTENSIONS.map(key_of) {
        // Unless another program has taken it over.
        if get(&key).is_some_and(|value| value == braced(CLASS)) {
            delete(&key)?;
        }
    }
    delete(&key_of_class().into())
}

fn key_of_class() -> String {
    format!("Software\\Classes\\CLSID\\{}", braced(CLASS))
}

/// The key for the thumbnails of a type of files.
fn key_of(extension: &str) -> HSTRING {
    format!("Software\\Classes\\.{extension}\\shellex\\{}", braced(IThumbnailProvider::IID)).into()
}

fn braced(id: GUID) -> String {
    format!("{{{id:?}}}")
}

/// The path of this library.
fn path() -> Result<HSTRING> {
    unsafe extern "C" {
        /// Where the library begins in memory, defined by the linker. Its address is the module's handle.
        #[link_name = "__ImageBase"]
        static START: u8;
    }
    let library = HMODULE((&raw const START).cast_mut().cast());
    let mut path = [0; 1 << 15];
    // SAFETY: the library is loaded, and `path` has the length that the call states.
    let len = unsafe { GetModuleFileNameW(Some(library), &mut path) } as usize;
    path.get(..len).filter(|path| !path.is_empty()).map(HSTRING::from_wide).ok_or_else(|| E_FAIL.into())
}

fn set(key: &HSTRING, name: PCWSTR, value: &HSTRING) -> Result<()> {
    let bytes = (value.len() as u32 + 1) * 2;
    // SAFETY: all texts are valid and end with a zero, which the size includes.
    unsafe { RegSetKeyValueW(HKEY_CURRENT_USER, key, name, REG_SZ.0, Some(value.as_ptr().cast()), bytes) }.ok()
}

fn get(key: &HSTRING) -> Option<String> {
    let mut value = [0u16; MAX_PATH as usize];
    let mut bytes = size_of_val(&value) as u32;
    // SAFETY: `value` has room for this number of bytes.
    let result = unsafe {
        let value = Some(value.as_mut_ptr().cast());
        RegGetValueW(HKEY_CURRENT_USER, key, None, RRF_RT_REG_SZ, None, value, Some(&mut bytes))
    };
    result.ok().ok()?;
    value.split(|unit| *unit == 0).next().map(String::from_utf16_lossy)
}

fn delete(key: &HSTRING) -> Result<()> {
    // SAFETY: the key is a valid text.
    let result = unsafe { RegDeleteTreeW(HKEY_CURRENT_USER, key) };
    if result == ERROR_FILE_NOT_FOUND { Ok(()) } else { result.ok() }
}
