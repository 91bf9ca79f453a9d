// Canonical JSON in pieces, so that a long text need not be copied whole to be hashed.
#pragma once

#include <functional>
#include <string_view>

#include "weft/base/json.hpp"

namespace weft {

using EmitPiece = std::function<void(std::string_view)>;

// Passes on in pieces, in order, what append_canonical appends.
void emit_canonical(const json::object& value, const EmitPiece& emit);

}  // namespace weft
