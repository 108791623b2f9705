//! Builds the binary anew when the pages of the client were; without pages it builds as well.

fn main() {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist");
    // A folder that is not there cannot be watched; an empty one is the same as none.
    if let Err(why) = std::fs::create_dir_all(pages) {
        println!("cargo:warning=the folder of the pages cannot be made: {why}");
    }
    println!("cargo:rerun-if-changed={pages}");
}
