//! Renders each line of standard input, `{"template": …, "messages": …}`, and writes what came of it, a line each.

use std::io::{self, BufRead as _, Write as _};

use rendering::{ErrorClass, Renderer, Rendering, Request};

fn main() -> io::Result<()> {
    let (mut renderer, mut out) = (Renderer::default(), io::BufWriter::new(io::stdout().lock()));
    for line in io::stdin().lock().lines() {
        let rendering = match Request::parse(&line?) {
            Ok(request) => renderer.render(&request.template.unwrap_or_default(), request.conversation),
            Err(error) => Rendering::error(ErrorClass::Unsupported, error.to_string()),
        };
        serde_json::to_writer(&mut out, &rendering)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
