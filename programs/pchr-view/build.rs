//! Gives the program for Windows its icon, version and manifest, if it is compiled on Windows.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(windows)]
    embed();
}

#[cfg(windows)]
fn embed() {
    for file in ["icon.ico", "windows.manifest"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let mut resource = winresource::WindowsResource::new();
    resource.set_icon("icon.ico").set_manifest_file("windows.manifest");
    resource.set("ProductName", "pchr").set("FileDescription", "pchr character viewer");
    resource.set("LegalCopyright", "The pchr authors; MIT OR Apache-2.0");
    if let Err(error) = resource.compile() {
        println!("cargo::warning=pchr-view.exe has no icon and no manifest: {error}");
    }
}
