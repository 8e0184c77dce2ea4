//! The numbers of one tensor in both runs.

use serde::{Deserialize, Serialize};
use wire::{BlockSums, MAX_VALUES, TensorData};

/// How many values are shown.
const SHOWN: usize = 10;

/// A value that is far from the reference's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorstValue {
    /// Its four indices, the fastest first.
    pub at: [u64; 4],
    /// The subject's value; null where it is not finite.
    pub ours: f32,
    /// The reference's value; null where it is not finite.
    pub reference: f32,
}

/// The values of the window that are furthest apart, the worst first; equal ones are not among them.
pub(super) fn worst(ours: &TensorData, reference: &TensorData, shape: [i64; 4]) -> Vec<WorstValue> {
    let pairs = ours.values.0.iter().zip(&reference.values.0).enumerate();
    let mut apart: Vec<(f64, usize, f32, f32)> = pairs
        .map(|(index, (&ours, &reference))| (distance(ours, reference), index, ours, reference))
        .filter(|(distance, ..)| *distance > 0.0)
        .collect();
    apart.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    apart.truncate(SHOWN);
    let value = |(_, index, ours_value, reference)| WorstValue {
        at: indices(ours.from + index as u64, shape),
        ours: ours_value,
        reference,
    };
    apart.into_iter().map(value).collect()
}

/// Where to look in a tensor that is too large to be sent whole: the beginning of the block whose sums are furthest
/// apart. `None` where all of it was sent.
pub(super) fn window(ours: &TensorData, reference: &TensorData) -> Option<u64> {
    if ours.count <= MAX_VALUES as u64 || ours.count != reference.count {
        return None;
    }
    let apart = ours.blocks.iter().zip(&reference.blocks).map(|(a, b)| (a - b).abs()).enumerate();
    let (index, _) = apart.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(index as u64 * BlockSums::block(ours.count))
}

fn distance(ours: f32, reference: f32) -> f64 {
    if ours.to_bits() == reference.to_bits() || (ours.is_nan() && reference.is_nan()) {
        return 0.0;
    }
    let distance = (f64::from(ours) - f64::from(reference)).abs();
    if distance.is_nan() { f64::INFINITY } else { distance }
}

fn indices(index: u64, shape: [i64; 4]) -> [u64; 4] {
    let mut rest = index;
    shape.map(|extent| {
        let extent = extent.max(1).cast_unsigned();
        let at = rest % extent;
        rest /= extent;
        at
    })
}

#[cfg(test)]
mod tests {
    use wire::{Digester, TensorName, Values};

    use super::*;

    fn data(values: &[f32], count: u64) -> TensorData {
        let mut blocks = BlockSums::new(count);
        blocks.add(values);
        TensorData {
            tensor: TensorName { name: "x".into(), op: "ADD".into(), nth: 0 },
            digest: Digester::default().finish(),
            count,
            blocks: blocks.finish(),
            from: 0,
            values: Values(values.to_vec()),
        }
    }

    #[test]
    fn the_worst_come_first_with_their_indices() {
        let (ours, reference) = (data(&[1.0, 2.0, 3.0, f32::NAN], 4), data(&[1.0, 2.5, 1.0, 4.0], 4));
        let found: Vec<[u64; 4]> =
            worst(&ours, &reference, [2, 2, 1, 1]).iter().map(|value| value.at).collect();
        assert_eq!(found, [[1, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]]);
        assert_eq!(worst(&ours, &ours, [2, 2, 1, 1]), []);
    }

    #[test]
    fn a_large_tensor_is_looked_at_where_it_differs() {
        let count = 2 * MAX_VALUES as u64;
        let reference = vec![1.0_f32; count as usize];
        let mut ours = reference.clone();
        ours[count as usize - 5] = 9.0;
        let block = BlockSums::block(count);
        let (ours, reference) = (data(&ours, count), data(&reference, count));
        assert_eq!(window(&ours, &reference), Some(count - block));
        assert_eq!(window(&data(&[1.0], 1), &data(&[2.0], 1)), None);
    }
}
