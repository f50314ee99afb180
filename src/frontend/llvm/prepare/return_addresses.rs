//! Addresses of frames and of code to return to: arbitrary numbers, since no program may rely on them.

use super::externals::{assume, input};
use super::ir::Ir;

const ADDRESSES: [(&str, &str); 3] = [
    ("llvm.returnaddress", "return address"),
    ("llvm.addressofreturnaddress", "return address's place"),
    ("llvm.frameaddress", "frame address"),
];

/// The address of a function's own frame, and where it returns to, is not null; that of a caller may be.
pub(super) fn choose_addresses_of_frames(ir: &Ir<'_>) {
    for intrinsic in ir.functions() {
        let name = intrinsic.name();
        let known = ADDRESSES
            .iter()
            .find(|(prefix, _)| name.starts_with(prefix));
        let Some((_, name)) = known else {
            continue;
        };
        for call in intrinsic.users() {
            ir.before(call);
            let Some(address) = input(ir, ir.size_type(), name) else {
                continue;
            };
            let level = call
                .call_arguments()
                .first()
                .and_then(|level| level.as_i64());
            if level.unwrap_or(0) == 0 {
                assume(ir, ir.is_not_zero(address));
            }
            call.replace_uses(ir.convert_from_int(address, call.ty(), ""));
            call.erase();
        }
    }
}
