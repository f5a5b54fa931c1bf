//! The machine's state: addresses, memory, commands, registers and numbers.
//!
//! # Invariants
//! This room imports no other. Raw words are the state; typed views are computed from them.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::ge::registers::vertex::{PrimitiveType, VertexType};
//! use pspge::{Address, ListBuilder, Memory, Registers};
//!
//! let mut list = ListBuilder::new(Address::new(0x0880_0000));
//! list.write(VertexType { through: true, ..VertexType::default() });
//! list.prim(PrimitiveType::TRIANGLES, 3).finish();
//! list.store(&mut Memory::default());
//! assert_eq!(list.words().len(), 4, "VTYPE, PRIM, FINISH, END");
//! assert!(!Registers::new().get::<VertexType>().through);
//! ```

pub mod address;
pub mod arithmetic;
pub mod capture;
#[doc(hidden)]
pub mod color;
pub mod command;
pub mod command_table;
pub mod draw_set;
pub mod edram;
pub mod event_set;
#[doc(hidden)]
#[cfg(feature = "serde")]
pub mod float;
pub mod float24;
pub mod limits;
pub mod list;
pub mod memory;
#[doc(hidden)]
pub mod never;
pub mod note;
pub mod opcode;
pub mod overrides;
pub mod registers;
pub mod vertex_layout;
