//! Our side of scoring: the peer's tokens, chunk by chunk, each answer compared with an earlier one. As the peer does, the
//! first half of a chunk is context alone, and the second is scored.

use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use judge::calibrate::Distances;
use judge::plan::Target;
use judge::subject::{READY_DEADLINE, Subject as _, Worker};
use wire::{Config, ContextConfig, Ending, ModelSpec, Observation, Prompt, Request, Score, Stimulus};

/// Longer than any chunk takes.
const DEADLINE: Duration = Duration::from_secs(600);

/// What is scored, and by whom.
#[derive(Debug)]
pub(crate) struct Scoring<'a> {
    /// The subject.
    pub(crate) target: &'a Target,
    /// The model.
    pub(crate) model: ModelSpec,
    /// Tokens, each chunk in an empty context.
    pub(crate) chunks: &'a [Vec<i32>],
    /// Workers, of one thread each.
    pub(crate) jobs: usize,
}

impl Scoring<'_> {
    /// Tokens in all chunks.
    pub(crate) fn tokens(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }

    /// Starts the workers, scores, and compares with `reference`, an earlier run; empty: with nothing.
    ///
    /// # Errors
    /// When a worker cannot be started, or does not score every token.
    pub(crate) fn run(&self, reference: &[Observation]) -> Result<(Vec<Observation>, Distances)> {
        let parts: Vec<Result<Vec<(usize, Observation, Distances)>>> = std::thread::scope(|scope| {
            let part = |job: usize| scope.spawn(move || self.part(job, reference));
            let threads: Vec<_> = (0..self.jobs).map(part).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().map_err(|_| anyhow!("a thread panicked"))?)
                .collect()
        });
        let mut answers = Vec::new();
        for part in parts {
            answers.extend(part?);
        }
        answers.sort_by_key(|(index, ..)| *index);
        let distances = answers.iter().fold(Distances::default(), |all, answer| all.or_larger(answer.2));
        Ok((answers.into_iter().map(|(_, answer, _)| answer).collect(), distances))
    }

    /// Every chunk whose turn it is, by one worker.
    fn part(&self, job: usize, reference: &[Observation]) -> Result<Vec<(usize, Observation, Distances)>> {
        let mut worker = Worker::spawn(&self.target.launch, READY_DEADLINE)?;
        let mine = self.chunks.iter().enumerate().skip(job).step_by(self.jobs);
        mine.map(|(index, chunk)| {
            let answer = worker.observe(&self.request(index, chunk), DEADLINE)?;
            let scored = answer.turns.first().map_or(0, |turn| turn.prefill.len());
            let wanted = chunk.len() - chunk.len() / 2;
            let whole = answer.ending == Ending::Completed && scored == wanted;
            ensure!(whole, "{scored} of {wanted} tokens were scored: {:?}", answer.ending);
            let distances = reference.get(index).map(|reference| Distances::between(&answer, reference));
            Ok((index, answer, distances.unwrap_or_default()))
        })
        .collect()
    }

    fn request(&self, index: usize, chunk: &[i32]) -> Request {
        let size = chunk.len() as u32;
        let context = ContextConfig { n_ctx: size, n_batch: size, ..ContextConfig::default() };
        Request {
            id: index as u64 + 1,
            model: Some(self.model.clone()),
            adapter: None,
            config: Config { context, ..Config::default() },
            stimulus: Stimulus::Score(Score {
                prompt: Prompt::Tokens(chunk.to_vec()),
                path: wire::ScorePath::Prefill,
                gap: 0,
                sequences: 1,
                unscored: size / 2,
                ways: Vec::new(),
            }),
            limits: wire::Limits::default(),
            forced_tokens: None,
            isolation: wire::Isolation::Shared,
            watch: None,
        }
    }
}
