//! The penalties that AVBD carries from one sub-step to the next: see `solvers/avbd/`.

use super::row::RowId;

/// By row: its penalty times K, without unit. A row without an entry is new.
#[derive(Debug, Clone, Default)]
pub struct Penalties {
    /// Sorted by row.
    list: Vec<(RowId, f32)>,
}

impl Penalties {
    /// The penalty of a row, unless it is new.
    pub(crate) fn of(&self, row: RowId) -> Option<f32> {
        let at = self.list.binary_search_by_key(&row, |(id, _)| *id).ok()?;
        Some(self.list[at].1)
    }

    /// Keeps these penalties and no others.
    pub(crate) fn keep(&mut self, penalties: impl Iterator<Item = (RowId, f32)>) {
        self.list.clear();
        self.list.extend(penalties);
        self.list.sort_unstable_by_key(|(id, _)| *id);
    }
}
