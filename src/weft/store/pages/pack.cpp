#include "weft/store/pages/pack.hpp"

#include <cstring>

#include "weft/base/hex.hpp"

namespace weft::store::sql {
namespace {

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

// a - b and a + b without overflow: damaged bytes may hold any number.
std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::unexpected<Error> damaged(std::string_view column) {
  return fail(ErrorCode::corrupt, "the stored " + std::string(column) + " cannot be read");
}

template <std::size_t n>
void append_bytes(std::string& out, const std::array<std::uint8_t, n>& bytes) {
  out.append(reinterpret_cast<const char*>(bytes.data()), n);
}

constexpr std::size_t kKeyIdBytes = 8;

}  // namespace

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  out += static_cast<char>(value);
}

void append_distance(std::string& out, Id self, Id id) {
  append_varint(out, zigzag(minus(self, id)));
}

std::optional<Id> take_distance(std::string_view& bytes, Id self) {
  const auto distance = take_varint(bytes);
  if (!distance) return std::nullopt;
  return minus(self, unzigzag(*distance));
}

Result<std::string> pack_box(const crypto::Box& box) {
  std::array<std::uint8_t, kKeyIdBytes> key_id;
  if (!parse_hex(box.key_id, key_id)) {
    return fail(ErrorCode::invalid_input, "a sealed layer has a malformed key id");
  }
  std::string out;
  out.reserve(kKeyIdBytes + box.sealed.size());
  append_bytes(out, key_id);
  out += box.sealed;
  return out;
}

Result<crypto::Box> unpack_box(std::string_view bytes) {
  if (bytes.size() < kKeyIdBytes) return damaged("layer");
  std::array<std::uint8_t, kKeyIdBytes> key_id;
  std::memcpy(key_id.data(), bytes.data(), kKeyIdBytes);
  return crypto::Box{to_hex(key_id), std::string(bytes.substr(kKeyIdBytes))};
}

void append_ref(std::string& out, Id self, const PackedRef& ref) {
  append_varint(out, zigzag(minus(self, ref.thought)) * 2 + (ref.extra.empty() ? 0 : 1));
  if (ref.extra.empty()) return;
  append_varint(out, ref.extra.size());
  out += ref.extra;
}

Result<std::vector<PackedRef>> unpack_refs(std::string_view bytes, Id self) {
  std::vector<PackedRef> refs;
  while (!bytes.empty()) {
    const auto head = take_varint(bytes);
    if (!head) return damaged("because");
    PackedRef ref{.thought = minus(self, unzigzag(*head / 2))};
    if (*head % 2 == 1) {
      const auto size = take_varint(bytes);
      if (!size || *size == 0 || *size > bytes.size()) return damaged("because");
      ref.extra = bytes.substr(0, *size);
      bytes.remove_prefix(*size);
    }
    refs.push_back(ref);
  }
  return refs;
}

std::string pack_extra(const thought::ContentRef& ref) {
  if (!ref.segment && !ref.anchor && !ref.path && !ref.temporal) return {};
  json::object members = thought::to_json(ref);
  members.erase("thought_cid");
  return canonical_json(members);
}

Result<thought::ContentRef> unpack_extra(const Cid& thought, std::string_view extra) {
  if (extra.empty()) return thought::ContentRef{.thought = thought};
  Result<ParsedJson> members = parse_json(extra);
  if (!members || !members->value.is_object()) return damaged("because");
  members->value.get_object()["thought_cid"] = thought.str();
  Result<thought::ContentRef> ref = thought::parse_ref(members->value);
  if (!ref) return damaged("because");
  return ref;
}

void pack_signature(std::string& out, const thought::Signature& signature, Id checkpoint,
                    Paths paths) {
  out.clear();
  if (const auto* bytes = std::get_if<crypto::SignatureBytes>(&signature)) {
    append_bytes(out, *bytes);
    return;
  }
  const auto& tree = std::get<thought::TreeSignature>(signature);
  out += static_cast<char>(paths == Paths::derived ? PackedSignature::Kind::tree
                                                   : PackedSignature::Kind::tree_with_path);
  append_varint(out, static_cast<std::uint64_t>(checkpoint));
  append_varint(out, tree.index);
  if (paths == Paths::derived) return;
  for (const Digest& node : tree.path) append_bytes(out, node);
}

Result<PackedSignature> unpack_signature(std::string_view bytes) {
  if (bytes.empty()) return damaged("signature");
  PackedSignature out;
  // Of this size is nothing else: what begins with a kind is shorter than 54 or longer than 66.
  if (bytes.size() == out.bytes.size()) {
    std::memcpy(out.bytes.data(), bytes.data(), bytes.size());
    return out;
  }
  out.kind = static_cast<PackedSignature::Kind>(bytes[0]);
  bytes.remove_prefix(1);
  if (out.kind == PackedSignature::Kind::ed25519) {
    if (bytes.size() != out.bytes.size()) return damaged("signature");
    std::memcpy(out.bytes.data(), bytes.data(), bytes.size());
    return out;
  }
  const bool with_path = out.kind == PackedSignature::Kind::tree_with_path;
  if (!with_path && out.kind != PackedSignature::Kind::tree) return damaged("signature");
  const auto checkpoint = take_varint(bytes);
  const auto leaf = checkpoint ? take_varint(bytes) : std::nullopt;
  if (!leaf || bytes.size() % sizeof(Digest) != 0 || (!with_path && !bytes.empty())) {
    return damaged("signature");
  }
  out.checkpoint = static_cast<Id>(*checkpoint);
  out.leaf = *leaf;
  for (; !bytes.empty(); bytes.remove_prefix(sizeof(Digest))) {
    std::memcpy(out.path.emplace_back().data(), bytes.data(), sizeof(Digest));
  }
  return out;
}

std::string pack_leaves(const std::vector<Id>& leaves) {
  std::string out;
  Id end = 0;
  for (std::size_t at = 0; at < leaves.size();) {
    std::size_t next = at + 1;
    while (next < leaves.size() && leaves[next] == leaves[next - 1] + 1) ++next;
    append_varint(out, zigzag(minus(leaves[at], end)));
    append_varint(out, next - at);
    end = leaves[next - 1] + 1;
    at = next;
  }
  return out;
}

Result<std::vector<Range>> unpack_leaves(std::string_view bytes) {
  std::vector<Range> ranges;
  Id end = 0;
  while (!bytes.empty()) {
    const auto step = take_varint(bytes);
    const auto count = step ? take_varint(bytes) : std::nullopt;
    if (!count) return damaged("leaves");
    ranges.push_back({plus(end, unzigzag(*step)), *count});
    end = plus(ranges.back().first, static_cast<Id>(*count));
  }
  return ranges;
}

}  // namespace weft::store::sql
