//! Two schemas, compiled separately, and what they say about the same instances.
//!
//! | file | what is in it |
//! |---|---|
//! | [`compile`] | compiling, and asking for a verdict that is never a guess |
//! | [`classify`] | one corpus, sorted into agreed, widened and narrowed |
//! | [`witness`] | instances made for a schema: valid ones, and ones that violate one keyword |
//! | [`isolate`] | whether an instance is rejected for one keyword and nothing else |
//! | [`proof`], [`size`] | proving that one schema accepts everything that another accepts |
//! | [`only`] | one keyword of a document, with what leads to it |
//! | [`together`] | a source beside what is enforced of it, as one document |

pub(crate) mod classify;
pub(crate) mod compile;
pub(crate) mod isolate;
pub(crate) mod only;
pub(crate) mod proof;
mod size;
pub(crate) mod together;
pub(crate) mod witness;
