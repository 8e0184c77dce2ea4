//! test-llama-archs: which architectures it asks, and which of them the suite asks too.

/// The sweep that both sides make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sweep {
    /// The peer's `--arch`: an expression that fits these architectures and no other.
    pub(crate) pattern: String,
    /// Our models, one for each row of the peer.
    pub(crate) models: Vec<String>,
}

impl Sweep {
    /// The architectures all of whose `rows` (as [`row_names`] has them) are among `models`, ours.
    pub(crate) fn of(rows: &[(String, bool)], models: &[String]) -> Self {
        let ours = |name: String| models.contains(&name).then_some(name);
        // Where one loader builds both kinds, the one with experts has a model of its own.
        let model = |(arch, experts): &(String, bool)| {
            let plain = || ours(format!("arch-{arch}"));
            let both = rows.contains(&(arch.clone(), false));
            match (experts, both) {
                (true, true) => ours(format!("arch-{arch}-moe")),
                (true, false) => ours(format!("arch-{arch}-moe")).or_else(plain),
                (false, _) => plain(),
            }
        };
        let mut archs: Vec<&str> = rows.iter().map(|(arch, _)| arch.as_str()).collect();
        archs.dedup();
        let models_of = |arch: &str| -> Option<Vec<String>> {
            rows.iter().filter(|row| row.0 == arch).map(model).collect()
        };
        archs.retain(|arch| models_of(arch).is_some());
        let models = archs.iter().filter_map(|arch| models_of(arch)).flatten().collect();
        Self { pattern: format!("^({})$", archs.join("|")), models }
    }
}

/// The rows of the peer's table that it really ran: the architecture, and whether it has experts.
///
/// A row is `|arch|device|Dense|OK (1e-9)|OK|OK (0)|`, in colours; each device has one, and what is left out says `SKIP`.
pub(crate) fn row_names(output: &str) -> Vec<(String, bool)> {
    let mut rows = Vec::new();
    for line in output.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, arch, _, kind @ ("Dense" | "MoE"), numbers, ..] = cells[..] else { continue };
        let row = (arch.to_owned(), kind == "MoE");
        if !numbers.contains("SKIP") && !rows.contains(&row) {
            rows.push(row);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
main: using seed 1, stdev 0.100000
|   Model arch.|   Device|Config|   NMSE vs. CPU|Roundtrip|    Mixed batch|
|--------------|---------|------|---------------|---------|---------------|
|         llama|A CPU @ 2|Dense|\u{1b}[1;32mOK\u{1b}[0m (0.00e+00)|\u{1b}[1;32mOK\u{1b}[0m|\u{1b}[1;32mOK\u{1b}[0m (0.00e+00)|
|         llama|     Meta|Dense|\u{1b}[1;33mSKIP\u{1b}[0m |SKIP|SKIP |
|         llama|A CPU @ 2|  MoE|OK (0.00e+00)|OK|OK (0.00e+00)|
|           plm|A CPU @ 2|Dense|\u{1b}[1;33mSKIP\u{1b}[0m |SKIP|SKIP |
|      qwen3moe|A CPU @ 2|  MoE|FAIL (1.00e+00)|OK|OK (0.00e+00)|
|       deepnew|A CPU @ 2|  MoE|OK (0.00e+00)|OK|OK (0.00e+00)|
";

    #[test]
    fn rows_that_ran() {
        let rows = row_names(OUTPUT);
        let names: Vec<_> = rows.iter().map(|(arch, experts)| (arch.as_str(), *experts)).collect();
        assert_eq!(names, [("llama", false), ("llama", true), ("qwen3moe", true), ("deepnew", true)]);
        assert_eq!(row_names("no table\n|a|b|\n"), []);
    }

    #[test]
    fn both_sides_sweep_the_same() {
        let rows = row_names(OUTPUT);
        let models = |names: &[&str]| names.iter().map(|name| format!("arch-{name}")).collect::<Vec<_>>();
        let sweep = Sweep::of(&rows, &models(&["gemma4", "llama", "llama-moe", "qwen3moe"]));
        assert_eq!(sweep.pattern, "^(llama|qwen3moe)$");
        assert_eq!(sweep.models, models(&["llama", "llama-moe", "qwen3moe"]));
        // One of its two rows would not be asked on our side.
        assert_eq!(Sweep::of(&rows, &models(&["llama", "qwen3moe"])).pattern, "^(qwen3moe)$");
    }
}
