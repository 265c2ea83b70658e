//! The renderer: a `Picture` of plain data in, pixels out.
