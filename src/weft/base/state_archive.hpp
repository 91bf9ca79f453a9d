// Saved state. A type lists its fields once, and the list serves both ways: an archive either
// writes them into a JSON object or reads them back from one.
//
//   struct Call {
//     std::string id;
//     std::optional<Millis> time;
//     void archive(StateArchive& a) {
//       a.field("id", id);
//       a.optional("time", time);
//     }
//   };
//   const json::object state = save_object(call);
//   if (!restore_object(state, call)) …  // not what save_object() wrote
//
// A value of a field is a bool, an integer, a string, a Cid, a JSON object or value, an enum that
// has `last_enumerator(E)`, a vector or deque of these, or one of:
//   a type with `archive(StateArchive&)`, as a member or found by its namespace: an object;
//   a type with `state_row(T&)`, which returns state_cells(…): an array of just those cells;
//   state_cells(…) itself: the same;
//   a type with its own write_value() and read_value(), found by its namespace.
// Each decides for itself what it refuses, with check().
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weft/base/cid.hpp"
#include "weft/base/json.hpp"

namespace weft {

class StateArchive;

// The result of reading one value.
enum class StateFit {
  fits,
  other_kind,  // a string where a number belongs: the member counts as absent
  refused,     // of its kind, but never written by weft: the state as a whole is refused
};

// 64 bits as a signed number, for hashes.
struct StateBits {
  std::uint64_t& bits;
};
// A Cid as the hex digits of its digest alone, for lists of many.
struct StateHex {
  Cid& cid;
};

// The cells of a row: references to variables, or StateBits and StateHex.
template <class... T>
std::tuple<T...> state_cells(T&&... cells) {
  return std::tuple<T...>(std::forward<T>(cells)...);
}
template <class... T>
std::tuple<T...>& state_row(std::tuple<T...>& cells) {
  return cells;
}

template <class T>
concept StateObject = requires(T& part, StateArchive& a) { part.archive(a); } ||
                      requires(T& part, StateArchive& a) { archive(a, part); };
template <class T>
concept StateRow = requires(T& part) { state_row(part); };
template <class T>
concept StateList = !std::same_as<T, std::string> && requires(T& list) {
  list.clear();
  list.push_back(std::declval<typename T::value_type>());
};
template <class T>
concept StateNumber = std::integral<T> && !std::same_as<T, bool>;
template <class T>
concept StateEnum = std::is_enum_v<T> && requires(T one) { last_enumerator(one); };

template <std::same_as<bool> T>
json::value write_value(T flag) {
  return flag;
}
inline json::value write_value(const std::string& text) { return json::value(text); }
inline json::value write_value(const json::object& object) { return object; }
template <std::same_as<json::value> T>
json::value write_value(const T& value) {
  return value;
}
json::value write_value(const Cid& cid);
json::value write_value(const StateHex& hex);
json::value write_value(const StateBits& bits);
template <StateNumber T>
json::value write_value(T number);
template <StateEnum T>
json::value write_value(T one);
template <StateList T>
json::value write_value(const T& list);
template <StateRow T>
json::value write_value(const T& row);
template <StateObject T>
json::value write_value(const T& part);

StateFit read_value(const json::value& from, bool& flag);
StateFit read_value(const json::value& from, std::string& text);
StateFit read_value(const json::value& from, json::object& object);
StateFit read_value(const json::value& from, json::value& value);
StateFit read_value(const json::value& from, Cid& cid);
StateFit read_value(const json::value& from, const StateHex& hex);
StateFit read_value(const json::value& from, const StateBits& bits);
template <StateNumber T>
StateFit read_value(const json::value& from, T& number);
template <StateEnum T>
StateFit read_value(const json::value& from, T& one);
template <StateList T>
StateFit read_value(const json::value& from, T& list);
template <StateRow T>
StateFit read_value(const json::value& from, T& row);
template <StateObject T>
StateFit read_value(const json::value& from, T& part);

inline constexpr std::size_t kNoStateLimit = std::numeric_limits<std::size_t>::max();

// Writes or reads one object. Reading stops at the first member that does not fit: the variables
// after it keep their values, and is_ok() is false from then on.
class StateArchive {
 public:
  StateArchive() { written_.reserve(kFewMembers); }
  explicit StateArchive(const json::object& state) : state_(&state) {}  // outlives it
  explicit StateArchive(json::object&&) = delete;

  bool is_writing() const { return state_ == nullptr; }
  bool is_ok() const { return is_ok_; }
  // Refuses the state that is read, unless `holds`. Has no effect when writing.
  void check(bool holds) { is_ok_ = is_ok_ && (is_writing() || holds); }

  // A required member.
  template <class T>
  void field(std::string_view key, T&& value);
  // A required list of at most `most` elements.
  template <StateList T>
  void field(std::string_view key, T& list, std::size_t most);
  // The same for elements without a usable default: each is read into one that make() returns.
  template <StateList T, class Make>
  void field(std::string_view key, T& list, std::size_t most, Make make);
  // A list of 64-bit hashes, each as StateBits writes it.
  template <StateList T>
  void hashes(std::string_view key, T& list, std::size_t most = kNoStateLimit);
  // A member that is always written, but optional when reading: if it is missing, the variable
  // keeps its value.
  template <class T>
  void lenient(std::string_view key, T&& value);
  // A member that is absent if the variable has no value.
  template <class T>
  void optional(std::string_view key, std::optional<T>& value);
  // A member that is null if the variable has no value.
  template <class T>
  void nullable(std::string_view key, std::optional<T>& value);
  // A member that is absent if it equals T().
  template <class T>
  void sparse(std::string_view key, T& value);

  // For irregular members: writes a value, and reads one (null if it is absent).
  void put(std::string_view key, json::value value);
  const json::value* find(std::string_view key) const;

  json::object take_written() { return std::move(written_); }

 private:
  static constexpr std::size_t kFewMembers = 8;

  const json::object* state_ = nullptr;  // null when it writes
  json::object written_;
  bool is_ok_ = true;
};

template <class T>
void archive_into(StateArchive& a, T& part) {
  if constexpr (requires { part.archive(a); }) {
    part.archive(a);
  } else {
    archive(a, part);
  }
}

template <class T>
json::object save_object(const T& part) {
  StateArchive a;
  archive_into(a, const_cast<T&>(part));  // an archive that writes changes nothing
  return a.take_written();
}

// False if `state` was not written by save_object(); `part` is then half read and must not be used.
template <class T>
[[nodiscard]] bool restore_object(const json::object& state, T& part) {
  StateArchive a(state);
  archive_into(a, part);
  return a.is_ok();
}

// --- implementation -------------------------------------------------------------------------

// As find_int() reads one.
std::optional<std::int64_t> state_number(const json::value& from);

template <StateNumber T>
json::value write_value(T number) {
  if constexpr (std::signed_integral<T>) return std::int64_t{number};
  else return std::uint64_t{number};
}

template <StateNumber T>
StateFit read_value(const json::value& from, T& number) {
  const std::optional<std::int64_t> found = state_number(from);
  if (!found) return StateFit::other_kind;
  if (!std::in_range<T>(*found)) return StateFit::refused;
  number = static_cast<T>(*found);
  return StateFit::fits;
}

template <StateEnum T>
json::value write_value(T one) {
  return static_cast<std::int64_t>(one);
}

template <StateEnum T>
StateFit read_value(const json::value& from, T& one) {
  const std::optional<std::int64_t> found = state_number(from);
  if (!found) return StateFit::other_kind;
  if (*found < 0 || *found > static_cast<std::int64_t>(last_enumerator(one))) {
    return StateFit::refused;
  }
  one = static_cast<T>(*found);
  return StateFit::fits;
}

template <StateList T>
json::value write_value(const T& list) {
  json::array out;
  out.reserve(list.size());
  for (const auto& element : list) out.push_back(write_value(element));
  return out;
}

template <StateList T, class Make>
StateFit read_list(const json::value& from, T& list, std::size_t most, Make make) {
  const json::array* array = from.if_array();
  if (array == nullptr) return StateFit::other_kind;
  if (array->size() > most) return StateFit::refused;
  list.clear();
  for (const json::value& one : *array) {
    typename T::value_type element = make();
    if (read_value(one, element) != StateFit::fits) return StateFit::refused;
    list.push_back(std::move(element));
  }
  return StateFit::fits;
}

template <StateList T>
StateFit read_list(const json::value& from, T& list, std::size_t most) {
  return read_list(from, list, most, [] { return typename T::value_type{}; });
}

template <StateList T>
StateFit read_value(const json::value& from, T& list) {
  return read_list(from, list, kNoStateLimit);
}

template <StateRow T>
json::value write_value(const T& row) {
  return std::apply(
      [](const auto&... cells) {
        json::array out;
        out.reserve(sizeof...(cells));
        (out.push_back(write_value(cells)), ...);
        return json::value(std::move(out));
      },
      state_row(const_cast<T&>(row)));  // as in save_object()
}

template <StateRow T>
StateFit read_value(const json::value& from, T& row) {
  const json::array* array = from.if_array();
  if (array == nullptr) return StateFit::other_kind;
  return std::apply(
      [&](auto&&... cells) {
        if (array->size() != sizeof...(cells)) return StateFit::refused;
        std::size_t i = 0;
        const bool fits = ((read_value((*array)[i++], cells) == StateFit::fits) && ...);
        return fits ? StateFit::fits : StateFit::refused;
      },
      state_row(row));
}

template <StateObject T>
json::value write_value(const T& part) {
  return save_object(part);
}

template <StateObject T>
StateFit read_value(const json::value& from, T& part) {
  const json::object* object = from.if_object();
  if (object == nullptr) return StateFit::other_kind;
  return restore_object(*object, part) ? StateFit::fits : StateFit::refused;
}

template <class T>
void StateArchive::field(std::string_view key, T&& value) {
  if (is_writing()) return put(key, write_value(value));
  const json::value* found = is_ok_ ? find(key) : nullptr;
  is_ok_ = found != nullptr && read_value(*found, value) == StateFit::fits;
}

template <StateList T>
void StateArchive::field(std::string_view key, T& list, std::size_t most) {
  field(key, list, most, [] { return typename T::value_type{}; });
}

template <StateList T, class Make>
void StateArchive::field(std::string_view key, T& list, std::size_t most, Make make) {
  if (is_writing()) return put(key, write_value(list));
  const json::value* found = is_ok_ ? find(key) : nullptr;
  is_ok_ = found != nullptr && read_list(*found, list, most, make) == StateFit::fits;
}

template <StateList T>
void StateArchive::hashes(std::string_view key, T& list, std::size_t most) {
  if (is_writing()) {
    json::array out;
    out.reserve(list.size());
    for (std::uint64_t& hash : list) out.push_back(write_value(StateBits{hash}));
    return put(key, std::move(out));
  }
  const json::value* found = is_ok_ ? find(key) : nullptr;
  const json::array* array = found == nullptr ? nullptr : found->if_array();
  check(array != nullptr && array->size() <= most);
  if (!is_ok_) return;
  list.clear();
  for (const json::value& one : *array) {
    std::uint64_t hash = 0;
    check(read_value(one, StateBits{hash}) == StateFit::fits);
    list.push_back(hash);
  }
}

template <class T>
void StateArchive::lenient(std::string_view key, T&& value) {
  if (is_writing()) return put(key, write_value(value));
  const json::value* found = is_ok_ ? find(key) : nullptr;
  if (found != nullptr) is_ok_ = read_value(*found, value) != StateFit::refused;
}

template <class T>
void StateArchive::optional(std::string_view key, std::optional<T>& value) {
  if (is_writing()) {
    if (value) put(key, write_value(*value));
    return;
  }
  const json::value* found = is_ok_ ? find(key) : nullptr;
  value.reset();
  if (found == nullptr) return;
  T one{};
  const StateFit fit = read_value(*found, one);
  if (fit == StateFit::fits) value = std::move(one);
  is_ok_ = fit != StateFit::refused;
}

template <class T>
void StateArchive::nullable(std::string_view key, std::optional<T>& value) {
  if (is_writing()) return put(key, value ? write_value(*value) : json::value());
  const json::value* found = is_ok_ ? find(key) : nullptr;
  value.reset();
  if (found == nullptr || found->is_null()) return;
  T one{};
  is_ok_ = read_value(*found, one) == StateFit::fits;
  value = std::move(one);
}

template <class T>
void StateArchive::sparse(std::string_view key, T& value) {
  if (is_writing() && value == T()) return;
  lenient(key, value);
}

}  // namespace weft
