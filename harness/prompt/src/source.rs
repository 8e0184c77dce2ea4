//! A template's text before the engine reads it: newlines, tags that are written otherwise, limits on its shape.
//!
//! The engine's parser, its compiler and the destructors of its syntax tree are recursive, and a long chain of
//! operators or `elif` branches is as deep as it is long. Templates come from model files, so the shape is
//! checked first: an overflowing stack cannot be caught.

use crate::{
    TemplateError,
    iterable::ITERABLE,
    shallow::SHALLOW,
    tags::{Tag, TagKind, code, is_word, tags},
};

/// The longest template in bytes; the longest official one known is 16 KB.
pub const MAX_TEMPLATE_BYTES: usize = 1024 * 1024;

/// Operators, brackets and keywords in one tag, strings left out; official templates stay below 60.
pub const MAX_TAG_OPERATORS: usize = 256;

/// `elif` branches in one template.
pub const MAX_ELIFS: usize = 256;

/// Makes `template` ready for the engine. Lines keep their numbers.
pub(crate) fn prepare(template: &str) -> Result<String, TemplateError> {
    if template.len() > MAX_TEMPLATE_BYTES {
        let detail = format!("{} bytes are more than {MAX_TEMPLATE_BYTES}", template.len());
        return Err(TemplateError::TooComplex { line: 1, detail });
    }
    // Jinja2 does the same before it looks for tags.
    let source = template.replace("\r\n", "\n").replace('\r', "\n");
    let tags = tags(&source);
    check(&source, &tags)?;
    Ok(rewrite(&source, &tags))
}

fn check(source: &str, tags: &[Tag<'_>]) -> Result<(), TemplateError> {
    let too_complex = |tag: &Tag<'_>, detail: String| {
        let line = 1 + source[..tag.start].matches('\n').count();
        Err(TemplateError::TooComplex { line, detail })
    };
    let mut elifs = 0;
    for tag in tags {
        elifs += usize::from(tag.keyword() == "elif");
        if elifs > MAX_ELIFS {
            return too_complex(tag, format!("more than {MAX_ELIFS} elif branches"));
        }
        let count = operators(tag);
        if count > MAX_TAG_OPERATORS {
            return too_complex(tag, format!("{count} operators in one tag, more than {MAX_TAG_OPERATORS}"));
        }
    }
    Ok(())
}

fn operators(tag: &Tag<'_>) -> usize {
    if tag.kind == TagKind::Comment {
        return 0;
    }
    let mut count = 0;
    let mut word = String::new();
    for c in code(tag.body).map(|(_, c)| c).chain([' ']) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        count += usize::from(matches!(word.as_str(), "not" | "and" | "or" | "if" | "else" | "is" | "in"));
        count += usize::from(".[({|+-*/%~<>=!".contains(c));
        word.clear();
    }
    count
}

/// Applies what has to be written otherwise for the engine.
fn rewrite(source: &str, tags: &[Tag<'_>]) -> String {
    let mut out = String::with_capacity(source.len());
    let mut done = 0;
    for tag in tags {
        let Some(body) = rewritten(tag) else { continue };
        let at = tag.start + 2;
        out.push_str(&source[done..at]);
        out.push_str(&body);
        done = at + tag.body.len();
    }
    out.push_str(&source[done..]);
    out
}

/// A tag's new body; `None` where it stays.
///
/// - transformers' `{% generation %}` marks what the assistant wrote, for training masks. It becomes the scope that
///   it is, so that an engine without the extension renders the same text.
/// - `{% set ns.x = y %}` is the one way to make a value that holds itself, or one as deep as a loop is long. What
///   is assigned goes through [`shallow`](crate::shallow).
/// - `{% for x in y %}` over none is an error in Python, and no rounds in the engine. What is looped over goes through
///   [`iterable`](crate::iterable).
fn rewritten(tag: &Tag<'_>) -> Option<String> {
    match tag.keyword() {
        "generation" => Some(tag.body.replacen("generation", "with", 1)),
        "endgeneration" => Some(tag.body.replacen("endgeneration", "endwith", 1)),
        "set" => {
            let (equals, _) = code(tag.body).find(|&(_, c)| c == '=')?;
            let (target, value) = tag.body.split_at(equals + 1);
            if !target.contains('.') {
                return None;
            }
            let expression = value.trim_end_matches(['-', '+']);
            let control = &value[expression.len()..];
            Some(format!("{target} {SHALLOW}(({expression})) {control}"))
        }
        "for" => {
            let (start, end) = looped_over(tag.body)?;
            let (before, expression, after) = (&tag.body[..start], &tag.body[start..end], &tag.body[end..]);
            Some(format!("{before} {ITERABLE}(({expression})) {after}"))
        }
        _ => None,
    }
}

/// Where in a `for` tag's body the expression stands that is looped over: after `in`, up to the loop's own `if`,
/// `recursive`, or the end.
fn looped_over(body: &str) -> Option<(usize, usize)> {
    let mut words = words(body);
    let start = words.find(|&(_, word)| word == "in").map(|(at, word)| at + word.len())?;
    let end = words.find(|&(_, word)| matches!(word, "if" | "recursive")).map(|(at, _)| at);
    Some((start, end.unwrap_or_else(|| body.trim_end_matches(['-', '+']).len())))
}

/// The words of an expression that stand in no string and no bracket, with their byte offsets.
fn words(expression: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut depth = 0_usize;
    let mut last = None;
    let starts: Vec<usize> = code(expression)
        .filter_map(|(at, c)| {
            let goes_on = last.replace(at + c.len_utf8()) == Some(at) && is_word_before(expression, at);
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0 && is_word(c) && !goes_on).then_some(at)
        })
        .collect();
    starts.into_iter().map(|at| {
        let rest = &expression[at..];
        (at, &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())])
    })
}

fn is_word_before(expression: &str, at: usize) -> bool {
    expression[..at].chars().next_back().is_some_and(is_word)
}

#[cfg(test)]
mod tests {
    use super::prepare;

    #[test]
    fn text_is_prepared() {
        for (template, expected) in [
            ("a\r\nb\rc\n", "a\nb\nc\n"),
            ("{%- generation -%}\nx{% endgeneration %}", "{%- with -%}\nx{% endwith %}"),
            ("{%- set ns.x = 1 -%}", "{%- set ns.x = __shallow(( 1 )) -%}"),
            ("{%- for k, v in x.items() -%}", "{%- for k, v in __iterable(( x.items() )) -%}"),
            (
                "{% for in_ in [a if b else 'in'] if in_ %}",
                "{% for in_ in __iterable(( [a if b else 'in'] )) if in_ %}",
            ),
            ("{% for x in y recursive %}", "{% for x in __iterable(( y )) recursive %}"),
            ("{% for x of y %}", "{% for x of y %}"),
            ("{% set x = ns.x == 1 %}{% set ns.x %}", "{% set x = ns.x == 1 %}{% set ns.x %}"),
            ("{# {% generation %} #}", "{# {% generation %} #}"),
            ("{{ '{% generation %}' }}", "{{ '{% generation %}' }}"),
            ("{% raw %}{% generation %}{% endraw %}", "{% raw %}{% generation %}{% endraw %}"),
        ] {
            assert_eq!(prepare(template).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn the_line_of_a_complex_tag_is_named() {
        let template = format!("\n\n{{{{ 1{} }}}}", "+1".repeat(300));
        assert!(prepare(&template).unwrap_err().to_string().contains("line 3: 300 operators"));
        assert!(prepare(&format!("{{{{ '{}' }}}}", "+1".repeat(300))).is_ok());
    }
}
