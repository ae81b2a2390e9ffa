//! The objects that Explorer talks to: a factory, and a provider for each file.

use std::cell::OnceCell;
use std::ffi::c_void;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use pchr::draw::Picture;
use windows::Win32::Foundation::{
    CLASS_E_CLASSNOTAVAILABLE, CLASS_E_NOAGGREGATION, E_FAIL, E_INVALIDARG, E_POINTER, E_UNEXPECTED,
    ERROR_ALREADY_INITIALIZED, S_FALSE,
};
use windows::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, CreateDIBSection, DIB_RGB_COLORS, HBITMAP,
};
use windows::Win32::System::Com::{IClassFactory, IClassFactory_Impl, IStream, STREAM_SEEK_SET};
use windows::Win32::UI::Shell::PropertiesSystem::{IInitializeWithStream, IInitializeWithStream_Impl};
use windows::Win32::UI::Shell::{IThumbnailProvider, IThumbnailProvider_Impl, WTS_ALPHATYPE, WTSAT_ARGB};
use windows_core::{BOOL, GUID, HRESULT, IUnknown, Interface, Ref, Result, implement};

use crate::draw::draw;

/// The class of the providers.
pub const CLASS: GUID = GUID::from_u128(0xb24fba93_77a9_4bfe_87a5_07002800eb8a);

/// Called by COM for the factory.
#[unsafe(no_mangle)]
unsafe extern "system" fn DllGetClassObject(
    class: *const GUID,
    iid: *const GUID,
    object: *mut *mut c_void,
) -> HRESULT {
    // SAFETY: COM passes valid ids and a place for the object.
    unsafe {
        if *class != CLASS {
            *object = ptr::null_mut();
            return CLASS_E_CLASSNOTAVAILABLE;
        }
        IClassFactory::from(Factory).query(iid, object)
    }
}

/// Called by COM to find out whether the library is still in use. Explorer's process soon ends, so it stays loaded, and
/// objects need not be counted.
#[unsafe(no_mangle)]
extern "system" fn DllCanUnloadNow() -> HRESULT {
    S_FALSE
}

#[implement(IClassFactory)]
struct Factory;

impl IClassFactory_Impl for Factory_Impl {
    fn CreateInstance(&self, outer: Ref<IUnknown>, iid: *const GUID, object: *mut *mut c_void) -> Result<()> {
        // SAFETY: COM passes a valid id and a place for the object.
        unsafe {
            if outer.is_some() {
                *object = ptr::null_mut();
                return Err(CLASS_E_NOAGGREGATION.into());
            }
            IUnknown::from(Provider::default()).query(iid, object).ok()
        }
    }

    fn LockServer(&self, _: BOOL) -> Result<()> {
        Ok(())
    }
}

/// Makes the thumbnail of one file.
#[implement(IThumbnailProvider, IInitializeWithStream)]
#[derive(Default)]
struct Provider {
    stream: OnceCell<IStream>,
}

impl IInitializeWithStream_Impl for Provider_Impl {
    fn Initialize(&self, stream: Ref<IStream>, _: u32) -> Result<()> {
        self.stream.set(stream.ok()?.clone()).map_err(|_| ERROR_ALREADY_INITIALIZED.to_hresult().into())
    }
}

impl IThumbnailProvider_Impl for Provider_Impl {
    fn GetThumbnail(&self, side: u32, bitmap: *mut HBITMAP, alpha: *mut WTS_ALPHATYPE) -> Result<()> {
        if bitmap.is_null() || alpha.is_null() {
            return Err(E_POINTER.into());
        }
        let stream = self.stream.get().ok_or(E_UNEXPECTED)?;
        // SAFETY: the stream is valid, and nothing is written to.
        unsafe { stream.Seek(0, STREAM_SEEK_SET, None)? };
        // A panic that left this method would end the process, and with it the thumbnails of other programs.
        let drawn = catch_unwind(AssertUnwindSafe(|| draw(Bytes(stream), side)));
        let Ok(Ok(picture)) = drawn else { return Err(E_FAIL.into()) };
        let made = bitmap_of(&picture)?;
        // SAFETY: neither is null, and the caller passes places for both.
        unsafe {
            *bitmap = made;
            *alpha = WTSAT_ARGB;
        }
        Ok(())
    }
}

/// The contents of a stream.
struct Bytes<'a>(&'a IStream);

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
        let mut read = 0;
        // SAFETY: the stream is valid, and `buffer` has this room.
        unsafe { self.0.Read(buffer.as_mut_ptr().cast(), room, Some(&mut read)).ok()? };
        Ok(read.min(room) as usize)
    }
}

/// Copies a picture into a bitmap, which the caller of the provider deletes.
fn bitmap_of(picture: &Picture) -> Result<HBITMAP> {
    let [width, height] = [picture.width(), picture.height()].map(i32::try_from);
    let (Ok(width), Ok(height)) = (width, height) else { return Err(E_INVALIDARG.into()) };
    let header = BITMAPINFOHEADER {
        biSize: size_of::<BITMAPINFOHEADER>() as u32,
        biWidth: width,
        // Negative: rows from the top.
        biHeight: -height,
        biPlanes: 1,
        biBitCount: 32,
        biCompression: BI_RGB.0,
        ..BITMAPINFOHEADER::default()
    };
    let info = BITMAPINFO { bmiHeader: header, ..BITMAPINFO::default() };
    let mut bits = ptr::null_mut();
    // SAFETY: `info` is complete, since 32-bit pixels have no colour table.
    let bitmap = unsafe { CreateDIBSection(None, &info, DIB_RGB_COLORS, &mut bits, None, 0)? };
    let pixels = picture.pixels();
    // SAFETY: rows of 32-bit pixels have no gaps, so the bitmap is as long as `pixels`. Nobody else knows it yet.
    let bits = unsafe { slice::from_raw_parts_mut(bits.cast::<u8>(), pixels.len()) };
    for (to, &[r, g, b, a]) in bits.as_chunks_mut::<4>().0.iter_mut().zip(pixels.as_chunks::<4>().0) {
        *to = [b, g, r, a];
    }
    Ok(bitmap)
}
