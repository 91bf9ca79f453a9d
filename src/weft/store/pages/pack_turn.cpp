// Turns as they lie in `body`: 20 bytes or so for the 170 of their JSON, where zstd takes 98.
// Every turn says its conversation's CID and an id of its source, which no dictionary foresees.
//
//   02, flags, varint zigzag(id − conversation), varint sequence, parent?, source id?
#include <array>
#include <charconv>
#include <cstring>

#include "weft/base/hex.hpp"
#include "weft/store/pages/pack.hpp"

namespace weft::store::sql {
namespace {

constexpr char kPackedTurn = 2;  // the first byte of a body
constexpr std::array<std::string_view, 3> kRoles = {"human", "assistant", "system"};
// Flags: the role, then what follows.
constexpr std::uint8_t kRole = 0x03, kParent = 0x04, kUuid = 0x08, kText = 0x10;

constexpr std::size_t kUuidBytes = 16, kUuidChars = 36;
constexpr std::array<std::size_t, 4> kHyphens = {8, 13, 18, 23};

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "the stored body cannot be read");
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::optional<Cid> take_cid(std::string_view& text) {
  Digest digest;
  if (!take(text, Cid::kPrefix) || text.size() < 2 * digest.size() ||
      !parse_hex(text.substr(0, 2 * digest.size()), digest)) {
    return std::nullopt;
  }
  text.remove_prefix(2 * digest.size());
  return Cid(digest);
}

// Its bytes, if the text is what append_uuid makes of them.
std::optional<std::array<std::uint8_t, kUuidBytes>> parse_uuid(std::string_view text) {
  if (text.size() != kUuidChars) return std::nullopt;
  std::string digits(text);
  for (auto at = kHyphens.rbegin(); at != kHyphens.rend(); ++at) {
    if (digits[*at] != '-') return std::nullopt;
    digits.erase(*at, 1);
  }
  std::array<std::uint8_t, kUuidBytes> bytes;
  if (!parse_hex(digits, bytes)) return std::nullopt;
  return bytes;
}

std::string to_uuid(std::string_view bytes) {
  std::array<std::uint8_t, kUuidBytes> raw;
  std::memcpy(raw.data(), bytes.data(), raw.size());
  std::string out = to_hex(raw);
  for (const std::size_t at : kHyphens) out.insert(at, 1, '-');
  return out;
}

// Reads the members in their canonical order; `conversation` aside.
std::optional<PackedTurn> parse_turn(std::string_view text, const Cid& conversation) {
  PackedTurn turn;
  if (!take(text, R"({"conversation":")") || take_cid(text) != conversation) return std::nullopt;
  if (take(text, R"(","parent":")")) {
    turn.parent = take_cid(text);
    if (!turn.parent) return std::nullopt;
  }
  if (!take(text, R"(","role":")")) return std::nullopt;
  while (turn.role < kRoles.size() && !take(text, kRoles[turn.role])) ++turn.role;
  if (turn.role == kRoles.size() || !take(text, R"(","sequence":)")) return std::nullopt;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), turn.sequence);
  if (code != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (take(text, R"(,"source_id":")")) {
    if (!text.ends_with(R"("})")) return std::nullopt;
    turn.source_id = text.substr(0, text.size() - 2);
  }
  return turn;
}

}  // namespace

bool is_packed_turn(std::string_view body) { return body.starts_with(kPackedTurn); }

void append_turn(std::string& out, const PackedTurn& turn, const Cid& conversation) {
  out += R"({"conversation":")" + conversation.str();
  if (turn.parent) out += R"(","parent":")" + turn.parent->str();
  out += R"(","role":")";
  out += kRoles[turn.role];
  out += R"(","sequence":)" + std::to_string(turn.sequence);
  if (turn.source_id) out += R"(,"source_id":")" + *turn.source_id + '"';
  out += '}';
}

std::optional<std::string> pack_turn(std::string_view text, Id self, const Cid& conversation,
                                     Id conversation_id) {
  const std::optional<PackedTurn> turn = parse_turn(text, conversation);
  if (!turn) return std::nullopt;
  std::string again;
  append_turn(again, *turn, conversation);
  if (again != text) return std::nullopt;  // it says something else, or more

  const auto uuid = turn->source_id ? parse_uuid(*turn->source_id) : std::nullopt;
  std::uint8_t flags = turn->role;
  if (turn->parent) flags |= kParent;
  if (turn->source_id) flags |= uuid ? kUuid : kText;
  std::string out{kPackedTurn, static_cast<char>(flags)};
  append_distance(out, self, conversation_id);
  append_varint(out, turn->sequence);
  if (turn->parent)
    out.append(reinterpret_cast<const char*>(turn->parent->digest().data()), sizeof(Digest));
  if (uuid) out.append(reinterpret_cast<const char*>(uuid->data()), uuid->size());
  else if (turn->source_id) out += *turn->source_id;
  return out;
}

Result<PackedTurn> unpack_turn(std::string_view body, Id self) {
  if (body.size() < 2 || !is_packed_turn(body)) return damaged();
  const auto flags = static_cast<std::uint8_t>(body[1]);
  body.remove_prefix(2);
  PackedTurn turn{.role = static_cast<std::uint8_t>(flags & kRole)};
  const bool is_known = (flags & ~(kRole | kParent | kUuid | kText)) == 0;
  const bool has_both = (flags & kUuid) != 0 && (flags & kText) != 0;
  if (!is_known || has_both || turn.role >= kRoles.size()) return damaged();
  const std::optional<Id> conversation = take_distance(body, self);
  const auto sequence = conversation ? take_varint(body) : std::nullopt;
  if (!sequence) return damaged();
  turn.conversation = *conversation;
  turn.sequence = *sequence;
  if ((flags & kParent) != 0) {
    Digest digest;
    if (body.size() < digest.size()) return damaged();
    std::memcpy(digest.data(), body.data(), digest.size());
    turn.parent = Cid(digest);
    body.remove_prefix(digest.size());
  }
  if ((flags & kText) != 0) {
    turn.source_id = body;
    return turn;
  }
  if (body.size() != ((flags & kUuid) != 0 ? kUuidBytes : 0)) return damaged();
  if ((flags & kUuid) != 0) turn.source_id = to_uuid(body);
  return turn;
}

}  // namespace weft::store::sql
