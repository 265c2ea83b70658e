//! Contact rows that are kept from one sub-step for the next.

use crate::bounds::FrictionBound;
use crate::row::{Block, Friction, Row, RowId};

/// The contact rows of a sub-step, kept for the next one.
#[derive(Debug, Clone, Default)]
pub struct CachedRows {
    pub(crate) rows: Vec<Row>,
    pub(crate) ids: Vec<RowId>,
    /// `first` counts from the first of these rows.
    pub(crate) blocks: Vec<Block>,
    pub(crate) bounds: Vec<FrictionBound>,
    pub(crate) frictions: Vec<Friction>,
}
