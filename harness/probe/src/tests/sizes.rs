//! Properties over sizes of context, batch, prompt and answer.

use proptest::prelude::*;
use serde_json::json;

use super::desk::ask;
use crate::testing::{E, Script, id};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the sizes: no call is larger than n_batch, positions go on without a gap, a failed call adds
    /// nothing, and the memory ends where the calls that count ended.
    #[test]
    fn calls_and_memory_agree(
        n_ctx in 8_u32..80,
        n_batch in 1_u32..40,
        user in 0_usize..20,
        answer in 0_usize..12,
        turns in 1_usize..7,
        decode_eog: bool,
        memory in prop::sample::select(vec!["kept", "cleared", "shifted"]),
        history in prop::sample::select(vec!["sent", "last-only"]),
    ) {
        let script = Script::replies(move |_| [vec![id('o'); answer], vec![E]].concat());
        let spec = json!({
            "turns": vec![json!({ "user": "q".repeat(user) }); turns],
            "memory": memory, "history": history, "max_tokens": 10, "decode_eog": decode_eog,
        });
        let config = json!({ "config": { "context": { "n_ctx": n_ctx, "n_batch": n_batch } } });
        let seen = ask(script, json!({ "converse": spec }), config);
        prop_assert_eq!(seen.turns.len(), turns);
        for turn in &seen.turns {
            let whole = turn.decode_calls.iter().filter(|call| call.code == 0);
            for call in whole {
                prop_assert!(call.n_tokens <= n_batch && call.n_tokens > 0);
                prop_assert!(call.pos + call.n_tokens as i32 <= n_ctx as i32);
            }
            for pair in turn.decode_calls.windows(2) {
                let next = pair[0].pos + if pair[0].code == 0 { pair[0].n_tokens as i32 } else { 0 };
                prop_assert!(pair[1].pos == next || memory == "shifted");
            }
            let memory_end = turn.memory.map(|memory| memory.pos_max + 1).unwrap_or_default();
            prop_assert!(memory_end <= n_ctx as i32);
            if turn.answer.is_some() {
                let last = turn.decode_calls.iter().rfind(|call| call.code == 0);
                prop_assert_eq!(last.map(|call| call.pos + call.n_tokens as i32), Some(memory_end));
            }
        }
    }

    /// The turn in which kept memory overflows can be computed beforehand.
    #[test]
    fn the_overflow_comes_in_the_predicted_turn(
        n_ctx in 10_u32..200, n_batch in 1_u32..64, user in 0_usize..20, answer in 0_usize..12,
    ) {
        let script = Script::replies(move |_| [vec![id('o'); answer], vec![E]].concat());
        let spec = json!({
            "turns": vec![json!({ "user": "q".repeat(user) }); 8],
            "memory": "kept", "history": "last-only", "max_tokens": 20,
        });
        let config = json!({ "config": { "context": { "n_ctx": n_ctx, "n_batch": n_batch } } });
        let seen = ask(script, json!({ "converse": spec }), config);
        // BOS once; `<u>`, the text, `<e>`, `<a>` and the answer each time.
        let fit = (n_ctx as usize - 1) / (3 + user + answer);
        let answered = seen.turns.iter().take_while(|turn| turn.answer.is_some()).count();
        prop_assert_eq!(answered, fit.min(8));
        prop_assert!(seen.turns[answered..].iter().all(|turn| turn.answer.is_none()));
    }
}
