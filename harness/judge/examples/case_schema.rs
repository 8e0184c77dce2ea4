//! Prints case.schema.json as it should be: `cargo run -q -p judge --example case_schema`.

fn main() -> serde_json::Result<()> {
    println!("{}", serde_json::to_string_pretty(&judge::case::schema())?);
    Ok(())
}
