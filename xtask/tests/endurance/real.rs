use libtest_mimic::Trial;
pub(crate) fn trials() -> Vec<Trial> {
    Vec::new()
}
