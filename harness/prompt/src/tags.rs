//! Where a template's tags are. Only as much of Jinja's grammar as is needed to tell tags from text: strings,
//! braces inside a tag, comments, raw blocks.

/// What stands between two delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagKind {
    /// `{{ … }}`
    Variable,
    /// `{% … %}`
    Block,
    /// `{# … #}`
    Comment,
}

/// One tag of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub(crate) kind: TagKind,
    /// Byte offset of the opening delimiter.
    pub(crate) start: usize,
    /// What stands between the delimiters, whitespace control included.
    pub(crate) body: &'a str,
}

impl<'a> Tag<'a> {
    /// A block's keyword, for example `if`; empty for other tags.
    pub(crate) fn keyword(&self) -> &'a str {
        if self.kind != TagKind::Block {
            return "";
        }
        let body = self.body.trim_start_matches(['-', '+']).trim_start();
        &body[..body.find(|c: char| !is_word(c)).unwrap_or(body.len())]
    }

    fn end(&self) -> usize {
        self.start + self.body.len() + 4
    }
}

/// All tags of `template`, in order; ends at the first one that is not closed.
pub(crate) fn tags(template: &str) -> Vec<Tag<'_>> {
    let mut found: Vec<Tag<'_>> = Vec::new();
    let mut at = 0;
    while let Some(tag) = next_tag(template, at) {
        at = tag.end();
        found.push(tag);
        if tag.keyword() == "raw" {
            let Some(end) = end_of_raw(template, at) else { break };
            at = end;
        }
    }
    found
}

fn next_tag(template: &str, from: usize) -> Option<Tag<'_>> {
    let rest = &template[from..];
    let (start, kind) = rest.match_indices('{').find_map(|(at, _)| {
        let kind = match rest.as_bytes().get(at + 1)? {
            b'{' => TagKind::Variable,
            b'%' => TagKind::Block,
            b'#' => TagKind::Comment,
            _ => return None,
        };
        Some((from + at, kind))
    })?;
    let inside = &template[start + 2..];
    let length = match kind {
        TagKind::Comment => inside.find("#}")?,
        TagKind::Variable => end_of_expression(inside, "}}")?,
        TagKind::Block => end_of_expression(inside, "%}")?,
    };
    Some(Tag { kind, start, body: &inside[..length] })
}

/// The offset of `close` outside of strings and braces.
fn end_of_expression(inside: &str, close: &str) -> Option<usize> {
    let mut braces = 0_usize;
    for (at, c) in code(inside) {
        if braces == 0 && inside[at..].starts_with(close) {
            return Some(at);
        }
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Where the body of a raw block ends: at the `{%` of its `endraw`.
fn end_of_raw(template: &str, from: usize) -> Option<usize> {
    template[from..].match_indices("{%").map(|(at, _)| from + at).find(|&at| {
        let body = template[at + 2..].trim_start_matches(['-', '+']).trim_start();
        body.starts_with("endraw")
    })
}

/// The characters of an expression that are outside of its string literals, with their byte offsets.
pub(crate) fn code(expression: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quote = None;
    let mut escaped = false;
    expression.char_indices().filter(move |&(_, c)| match quote {
        None => {
            if c == '"' || c == '\'' {
                quote = Some(c);
            }
            quote.is_none()
        }
        Some(open) => {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == open {
                quote = None;
            }
            false
        }
    })
}

/// Whether `c` can be part of a name.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{Tag, tags};

    #[test]
    fn tags_are_found_where_jinja_finds_them() {
        for (template, expected) in [
            ("plain { text } %}", &[][..]),
            ("a{{ b }}c", &[" b "]),
            ("{%- if x -%}y{% endif %}", &["- if x -", " endif "]),
            ("{{ '}}' }}{{ \"\\\"}}\" }}", &[" '}}' ", " \"\\\"}}\" "]),
            ("{{ {'a': {'b': 1}} }}z", &[" {'a': {'b': 1}} "]),
            ("{# {{ no }} #}{{ yes }}", &[" {{ no }} ", " yes "]),
            ("{% raw %}{{ no }}{%- endraw %}{{ yes }}", &[" raw ", "- endraw ", " yes "]),
            ("{{ never closed", &[]),
            ("{{ é }}", &[" é "]),
        ] {
            let bodies: Vec<&str> = tags(template).iter().map(|tag| tag.body).collect();
            assert_eq!(bodies, expected, "{template}");
        }
    }

    #[test]
    fn a_block_has_a_keyword() {
        let keywords = |template| tags(template).iter().map(Tag::keyword).collect::<Vec<_>>();
        assert_eq!(keywords("{%- if x %}{{ y }}{%+elif z%}{%endif%}"), ["if", "", "elif", "endif"]);
    }
}
