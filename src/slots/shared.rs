//! The slots of the service: those of a folder, of a host in Rust, or none.

use std::fmt;
use std::sync::Arc;

use super::Slots;
use super::panic_safe::PanicSafe;

/// Slots as the service holds them. Cheap to clone.
#[derive(Clone)]
pub struct SharedSlots(Arc<dyn Slots>);

impl SharedSlots {
    /// These slots.
    pub fn new(slots: impl Slots + 'static) -> SharedSlots {
        SharedSlots(Arc::new(PanicSafe::new(slots)))
    }
}

impl Default for SharedSlots {
    /// No templates: every part is built in.
    fn default() -> Self {
        struct BuiltIn;
        impl Slots for BuiltIn {
            fn names(&self) -> Vec<String> {
                Vec::new()
            }
        }
        SharedSlots::new(BuiltIn)
    }
}

impl std::ops::Deref for SharedSlots {
    type Target = dyn Slots;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for SharedSlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedSlots").field(&self.names()).finish()
    }
}
