#include "weft/base/state_archive.hpp"

#include <bit>

#include "weft/base/hex.hpp"

namespace weft {

std::optional<std::int64_t> state_number(const json::value& from) {
  if (from.is_int64()) return from.get_int64();
  if (from.is_uint64() && std::in_range<std::int64_t>(from.get_uint64())) {
    return static_cast<std::int64_t>(from.get_uint64());
  }
  return std::nullopt;
}

json::value write_value(const Cid& cid) { return json::value(cid.str()); }

json::value write_value(const StateHex& hex) { return json::value(to_hex(hex.cid.digest())); }

json::value write_value(const StateBits& bits) { return std::bit_cast<std::int64_t>(bits.bits); }

StateFit read_value(const json::value& from, bool& flag) {
  if (!from.is_bool()) return StateFit::other_kind;
  flag = from.get_bool();
  return StateFit::fits;
}

StateFit read_value(const json::value& from, std::string& text) {
  if (!from.is_string()) return StateFit::other_kind;
  text = view(from.get_string());
  return StateFit::fits;
}

StateFit read_value(const json::value& from, json::object& object) {
  if (!from.is_object()) return StateFit::other_kind;
  object = from.get_object();
  return StateFit::fits;
}

StateFit read_value(const json::value& from, json::value& value) {
  value = from;
  return StateFit::fits;
}

StateFit read_value(const json::value& from, Cid& cid) {
  if (!from.is_string()) return StateFit::other_kind;
  const Result<Cid> parsed = Cid::parse(view(from.get_string()));
  if (!parsed) return StateFit::refused;
  cid = *parsed;
  return StateFit::fits;
}

StateFit read_value(const json::value& from, const StateHex& hex) {
  if (!from.is_string()) return StateFit::other_kind;
  Digest digest;
  if (!parse_hex(view(from.get_string()), digest)) return StateFit::refused;
  hex.cid = Cid(digest);
  return StateFit::fits;
}

StateFit read_value(const json::value& from, const StateBits& bits) {
  const std::optional<std::int64_t> found = state_number(from);
  if (!found) return StateFit::other_kind;
  bits.bits = std::bit_cast<std::uint64_t>(*found);
  return StateFit::fits;
}

void StateArchive::put(std::string_view key, json::value value) {
  written_.emplace(key, std::move(value));
}

const json::value* StateArchive::find(std::string_view key) const {
  return is_writing() ? nullptr : find_member(*state_, key);
}

}  // namespace weft
