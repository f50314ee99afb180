//! The build script of each crate that links with Z3: puts the folder of the unpacked `libz3.so` into the run
//! path of its tests and programs.

#![allow(clippy::print_stdout, reason = "Cargo reads what build scripts print")]

fn main() {
    println!("cargo:rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    if let Ok(folder) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
