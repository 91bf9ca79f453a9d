#include "weft/base/json.hpp"

namespace weft {

const json::value* find_member(const json::object& object, std::string_view key) {
  return object.if_contains(key);
}

std::optional<std::string_view> find_string(const json::object& object, std::string_view key) {
  const json::value* member = find_member(object, key);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return view(member->get_string());
}

std::optional<std::int64_t> find_int(const json::object& object, std::string_view key) {
  const json::value* member = find_member(object, key);
  if (member == nullptr) return std::nullopt;
  if (member->is_int64()) return member->get_int64();
  if (member->is_uint64() && std::in_range<std::int64_t>(member->get_uint64())) {
    return static_cast<std::int64_t>(member->get_uint64());
  }
  return std::nullopt;
}

std::optional<bool> find_bool(const json::object& object, std::string_view key) {
  const json::value* member = find_member(object, key);
  if (member == nullptr || !member->is_bool()) return std::nullopt;
  return member->get_bool();
}

const json::object* find_object(const json::object& object, std::string_view key) {
  const json::value* member = find_member(object, key);
  return member == nullptr ? nullptr : member->if_object();
}

const json::array* find_array(const json::object& object, std::string_view key) {
  const json::value* member = find_member(object, key);
  return member == nullptr ? nullptr : member->if_array();
}

std::uint64_t count_or_zero(const json::object& object, std::string_view key) {
  const json::value* member = find_member(object, key);
  if (member == nullptr) return 0;
  if (member->is_uint64()) return member->get_uint64();
  return member->is_int64() && member->get_int64() > 0
             ? static_cast<std::uint64_t>(member->get_int64())
             : 0;
}

}  // namespace weft
