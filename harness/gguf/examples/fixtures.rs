//! Writes every fixture into a folder and prints the rows of `fixtures.json` as they should be:
//! `cargo run -p gguf --example fixtures -- FOLDER`.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use gguf::fixtures;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("name the folder to write to")?);
    fs::create_dir_all(&folder)?;
    let mut rows = Vec::new();
    for info in fixtures::all() {
        let fixture = fixtures::by_name(&info.name).ok_or("a row of fixtures.json has no fixture")?;
        let bytes = fixture.bytes();
        fs::write(folder.join(format!("{}.gguf", info.name)), &bytes)?;
        rows.push(serde_json::json!({
            "name": info.name,
            "sha256": fixtures::sha256(&bytes),
            "bytes": bytes.len(),
            "description": info.description,
        }));
    }
    println!("{}", serde_json::to_string_pretty(&rows)?);
    Ok(())
}
