//! Finding things in text: control tokens in a prompt, code in a template, pairs of thinking tags.

/// Longest control token that is looked for, in bytes.
const LONGEST: usize = 64;

/// The tags between which families think: what opens a thought, what closes it.
pub(crate) const THOUGHTS: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("<|channel>thought", "<channel|>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<seed:think>", "</seed:think>"),
    ("<thought>", "</thought>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
];

/// Texts in `prompt` that look like control tokens: `<|…|>`, `<|…>`, `<…|>`, with fullwidth bars too, and
/// `<start_of_…>` or `<end_of_…>`.
pub(crate) fn controls(prompt: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (at, _) in prompt.match_indices('<') {
        let rest = &prompt[at..];
        let Some(end) = rest.find('>').filter(|end| *end < LONGEST) else { continue };
        let text = &rest[..=end];
        let inner = &text[1..end];
        let plain = inner.contains('<') || inner.chars().any(char::is_whitespace);
        let bars = ["|", "｜"].iter().any(|bar| inner.starts_with(bar) || inner.ends_with(bar));
        let named = inner.starts_with("start_of_") || inner.starts_with("end_of_");
        if !plain && inner.len() > 2 && (bars || named) && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// The line of the byte `at` in `text`, counted from 1.
pub(crate) fn line(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// A tag of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    /// What stands between the delimiters.
    pub(crate) body: &'a str,
    /// Where it begins.
    pub(crate) start: usize,
    /// `{% … %}`, not `{{ … }}`.
    pub(crate) block: bool,
}

/// All tags but comments, up to the first that is not closed, which counts as going to the end.
pub(crate) fn tags(template: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(open) = template[at..].find(['{']).map(|open| at + open) {
        let (close, block) = match template.as_bytes().get(open + 1) {
            Some(b'{') => ("}}", false),
            Some(b'%') => ("%}", true),
            Some(b'#') => {
                at = template[open..].find("#}").map_or(template.len(), |end| open + end + 2);
                continue;
            }
            _ => {
                at = open + 1;
                continue;
            }
        };
        let start = open + 2;
        let end = end_of(&template[start..], close);
        tags.push(Tag { body: &template[start..start + end], start, block });
        at = (start + end + 2).min(template.len());
        while !template.is_char_boundary(at) {
            at += 1;
        }
    }
    tags
}

/// Where `close` stands outside of strings; the end where it doesn't.
fn end_of(inside: &str, close: &str) -> usize {
    let mut quote = None;
    let mut escaped = false;
    for (at, letter) in inside.char_indices() {
        match quote {
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if inside[at..].starts_with(close) => return at,
            Some(_) if escaped => escaped = false,
            Some(_) if letter == '\\' => escaped = true,
            Some(open) if letter == open => quote = None,
            _ => {}
        }
    }
    inside.len()
}

/// What a chat template has no honest use for, and the ways out of Python's Jinja sandbox begin with.
const TRICKS: &[&str] = &[
    "lipsum",
    "cycler(",
    "joiner(",
    "attr(",
    "eval(",
    "exec(",
    "popen(",
    "subprocess",
    "getattr(",
    "os.system",
    "self._",
];
/// Blocks that read other templates.
const READS: &[&str] = &["include", "import", "from", "extends"];

/// The first trick of a template, with its offset.
pub(crate) fn trick(template: &str) -> Option<(String, usize)> {
    tags(template).into_iter().find_map(|tag| {
        let keyword =
            tag.body.trim_start_matches(['-', '+']).trim_start().split(|c: char| !c.is_alphanumeric()).next();
        if let Some(keyword) = keyword.filter(|word| tag.block && READS.contains(word)) {
            return Some((format!("{{% {keyword} %}}"), tag.start));
        }
        if let Some((name, at)) = dunder(tag.body) {
            return Some((name.to_owned(), tag.start + at));
        }
        TRICKS.iter().find_map(|word| {
            let (at, _) = tag.body.match_indices(word).find(|(at, _)| {
                let before = tag.body[..*at].chars().next_back();
                !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
            })?;
            Some(((*word).trim_end_matches('(').to_owned(), tag.start + at))
        })
    })
}

/// A name like `__class__`.
fn dunder(body: &str) -> Option<(&str, usize)> {
    body.match_indices("__").find_map(|(at, _)| {
        let rest = &body[at + 2..];
        let end = rest.find("__")?;
        let plain = end > 0 && rest[..end].bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        plain.then(|| (&body[at..at + end + 4], at))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn control_tokens_are_seen_and_markup_is_not() {
        let text =
            "<|im_start|>a <b> <|turn>x<turn|> <start_of_turn> <｜User｜> <|im_start|> 1 < 2 > <| x |> <||>";
        assert_eq!(controls(text), ["<|im_start|>", "<|turn>", "<turn|>", "<start_of_turn>", "<｜User｜>"]);
    }

    #[test]
    fn tricks_are_seen_inside_tags_alone() {
        for (template, expected) in [
            ("{{ x.__class__.__mro__ }}", Some(("__class__", 1))),
            ("a\n{{ ''['__globals__'] }}", Some(("__globals__", 2))),
            ("{{ '}}' ~ lipsum }}", Some(("lipsum", 1))),
            ("{{ messages|attr('x') }}", Some(("attr", 1))),
            ("{%- include 'x' %}", Some(("{% include %}", 1))),
            ("{# __class__ #}__class__ and eval(", None),
            ("{{ my_attr(x) }} {% set from_user = 1 %}", None),
            ("{{ '____' }}", None),
        ] {
            let found = trick(template).map(|(name, at)| (name, line(template, at)));
            assert_eq!(found, expected.map(|(name, line)| (name.to_owned(), line)), "{template}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_looked_through(text in "[{}%#<>|'\"é\\\\_a(\n -]{0,60}") {
            let _ = (controls(&text), trick(&text), tags(&text));
        }
    }
}
