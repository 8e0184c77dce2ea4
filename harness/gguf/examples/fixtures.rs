//! Writes every fixture into a folder and prints the rows of `fixtures.json` as they should be:
//! `cargo run -p gguf --example fixtures -- FOLDER`.

use std::error::Error;
use std::io::Read as _;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, fs};

use gguf::{GgufFile, fixtures};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(env::args().nth(1).ok_or("name the folder to write to")?);
    fs::create_dir_all(&folder)?;
    let mut rows = Vec::new();
    for info in fixtures::all() {
        let fixture = fixtures::by_name(&info.name).ok_or("a row of fixtures.json has no fixture")?;
        // The row may be out of date, and with it the file.
        let _ = fs::remove_file(folder.join(format!("{}.gguf", info.name)));
        let begin = Instant::now();
        let path = fixture.write_to(&folder)?;
        eprintln!("{}: {:.1?}", info.name, begin.elapsed());
        let bytes = fs::metadata(&path)?.len();
        let hashed = if info.sparse { GgufFile::open(&path)?.data_start() } else { bytes };
        let mut start = Vec::new();
        fs::File::open(path)?.take(hashed).read_to_end(&mut start)?;
        let mut row =
            serde_json::json!({ "name": info.name, "sha256": fixtures::sha256(&start), "bytes": bytes });
        if info.sparse {
            row["sparse"] = true.into();
        }
        row["description"] = info.description.clone().into();
        rows.push(row);
    }
    println!("{}", serde_json::to_string_pretty(&rows)?);
    Ok(())
}
