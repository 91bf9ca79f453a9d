#include "weft/store/pages/box_bytes.hpp"

#include "weft/store/pages/pack.hpp"

namespace weft::store {

std::string box_bytes(const crypto::Box& box) { return sql::pack_box(box).value(); }

Result<crypto::Box> to_box(std::string_view bytes) { return sql::unpack_box(bytes); }

}  // namespace weft::store
