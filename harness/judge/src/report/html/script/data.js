// The report, and what is looked up in it.

const REPORT = JSON.parse($("data").textContent);
const LAYERS = ["load", "template", "tokens", "prefill", "decode", "sampling", "stop", "parse", "text", "turns", "memory"];
const SUBJECTS = [...new Set(REPORT.results.map((result) => result.subject))];
const WORDS = {
  "pass": "pass", "fail": "fail", "expected-fail": "known", "improved": "improved",
  "skip": "skip", "flaky": "flaky", "inconclusive": "unclear", "broken": "broken",
};
const SIGNS = {
  "pass": "✓", "fail": "✗", "expected-fail": "≈", "improved": "!", "skip": "–", "flaky": "~", "inconclusive": "?", "broken": "✗",
};
const TONES = {
  "pass": "pass", "fail": "bad", "expected-fail": "known", "improved": "bad",
  "skip": "quiet", "flaky": "bad", "inconclusive": "quiet", "broken": "bad",
};

const isBad = (result) => TONES[result.outcome] === "bad";
const familyOf = (result) => result.case.split("/")[0];
const keyOf = (result) => `${result.subject}|${result.model}|${result.case}`;
const hrefOf = (result) => `#item=${encodeURIComponent(keyOf(result))}`;
const BY_KEY = new Map(REPORT.results.map((result) => [keyOf(result), result]));

/** A row of the matrix: a case and a model, and what each subject made of it. */
const ROWS = (() => {
  const rows = new Map();
  for (const result of REPORT.results) {
    const key = `${result.case}|${result.model}`;
    if (!rows.has(key)) rows.set(key, { case: result.case, model: result.model, cells: new Map() });
    rows.get(key).cells.set(result.subject, result);
  }
  return [...rows.values()].sort((a, b) => (a.case + "|" + a.model < b.case + "|" + b.model ? -1 : 1));
})();

/** Everything in a row that one can search for. */
function haystack(row) {
  if (row.haystack === undefined) {
    const words = [row.case, row.model];
    for (const result of row.cells.values()) {
      words.push(result.subject, result.reason || "");
      for (const finding of result.findings || []) words.push(finding.code, finding.message);
    }
    row.haystack = words.join("\n").toLowerCase();
  }
  return row.haystack;
}

/** Whether a row has a cell that fits `filter`. */
function fits(row, filter) {
  const cell = (result) => (!filter.outcome || result.outcome === filter.outcome)
    && (!filter.layer || (result.blame && result.blame.layer === filter.layer));
  return (!filter.family || row.case.split("/")[0] === filter.family)
    && [...row.cells.values()].some(cell)
    && (!filter.text || haystack(row).includes(filter.text.toLowerCase()));
}

/** A word as a shell needs it. */
const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The command that asks this one item again, with model and subject as they were typed. */
function reproduce(result) {
  const typed = result.asked_as || result.model;
  return `cargo xtask test ${result.asked_with || `--backend ${result.subject}`}${typed === "-" ? "" : ` --model ${quoted(typed)}`} --filter ${quoted(result.case)}`;
}

/** Findings that are remarks on a run or a case, and blame nothing. */
const REMARKS = new Set(($("overview").dataset.remarks || "").split(" "));
