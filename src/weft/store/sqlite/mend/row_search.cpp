#include "weft/store/sqlite/mend/row_search.hpp"

#include <algorithm>
#include <vector>

#include "weft/crypto/blake3.hpp"
#include "weft/store/body.hpp"
#include "weft/store/sqlite/mend/bit_search.hpp"

namespace weft::store::sql {
namespace {

using thought::Thought;

constexpr int kIntegerBits = 64;

class RowSearch {
 public:
  RowSearch(Reader& reader, const ThoughtRow& row, const Cid& cid, const SearchLimits& limits)
      : reader_(reader), row_(row), cid_(cid), limits_(limits) {
    row_.signature.assign(sizeof(crypto::SignatureBytes), '\0');  // the CID does not depend on it
  }

  FoundRow search() {
    // A body that cannot be read is the damage: the other columns need not be tried.
    if (reader_.to_text(row_.columns(), room_)) {
      for (const auto& [name, column] : {std::pair("type", &ThoughtRow::type),
                                         {"created_by", &ThoughtRow::created_by},
                                         {"created_at", &ThoughtRow::created_at}}) {
        if (flip_integer(row_.*column)) return found(name);
      }
      if (row_.source && flip_integer(*row_.source)) return found("source");
      if (row_.because && flip_bytes(*row_.because)) return found("because");
      if (row_.metadata && flip_box(*row_.metadata, &thought::Layers::metadata)) {
        return found("metadata");
      }
      if (row_.content && flip_box(*row_.content, &thought::Layers::content)) {
        return found("content");
      }
    }
    if (flip_body()) return found("body");
    return {.is_cut_off = is_cut_off_};
  }

 private:
  FoundRow found(std::string_view column) { return {.row = row_, .column = column}; }

  // With names and words from the store: on this thread.
  bool holds() {
    const ThoughtColumns columns = row_.columns();
    const Result<Thought> thought = reader_.to_bare_thought(columns, cid_, Reader::WithPaths::no);
    if (!thought) return false;
    const Result<std::string_view> text = reader_.to_text(columns, room_);
    return text && hashes_to_cid(*thought, *text, form_);
  }
  bool hashes_to_cid(const Thought& thought, std::string_view text, std::string& form) const {
    form.clear();
    append_canonical_form(form, thought, text);
    return Cid(crypto::blake3(form)) == cid_;
  }

  // Each leaves the change in place if the row holds with it.
  bool flip_integer(std::int64_t& value) {
    for (int bit = 0; bit < kIntegerBits; ++bit) {
      const std::int64_t before = value;
      value =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << bit));
      if (holds()) return true;
      value = before;
    }
    return false;
  }
  bool flip_bytes(std::string& bytes) {
    const std::size_t bits = affordable(bytes.size() * 8, bytes.size() + row_.body.size());
    for (std::size_t bit = 0; bit < bits; ++bit) {
      bytes = with_bit_changed(std::move(bytes), bit);
      if (holds()) return true;
      bytes = with_bit_changed(std::move(bytes), bit);
    }
    return false;
  }

  // The rest neither names nor words: several threads.
  bool flip_box(std::string& bytes, std::optional<crypto::Box> thought::Layers::* layer) {
    // With the damaged box the rest of the thought may be unreadable.
    ThoughtColumns columns = row_.columns();
    (layer == &thought::Layers::metadata ? columns.metadata : columns.content).reset();
    const Result<Thought> bare = reader_.to_bare_thought(columns, cid_, Reader::WithPaths::no);
    const Result<std::string_view> text = reader_.to_text(columns, room_);
    if (!bare || !text) return false;
    return flip_in_parallel(
        bytes, bytes.size() * 2 + text->size(),
        [&](const std::string& changed, Scratch& scratch) {
          Result<crypto::Box> box = unpack_box(changed);
          if (!box) return false;
          scratch.thought.layers.*layer = *std::move(box);
          return hashes_to_cid(scratch.thought, *text, scratch.form);
        },
        *bare);
  }

  bool flip_body() {
    const Result<Thought> bare =
        reader_.to_bare_thought(row_.columns(), cid_, Reader::WithPaths::no);
    if (!bare) return false;
    // Turns have their conversation by id; they are short. The first byte may have been a turn's.
    if (is_packed_turn(row_.body)) return flip_bytes(row_.body);
    if (row_.body.empty()) return false;
    std::string first = row_.body;
    for (std::size_t bit = 0; bit < 8; ++bit) {
      row_.body = with_bit_changed(first, bit);
      if (holds()) return true;
    }
    row_.body = std::move(first);
    std::string room;
    const Result<std::string_view> text = unpack_text(row_.body, room);
    const std::size_t size = text ? text->size() : row_.body.size() * 4;
    const std::string damaged = row_.body;
    const bool is_found = flip_in_parallel(
        row_.body, size,
        [&](const std::string& changed, Scratch& scratch) {
          const Result<std::string_view> unpacked = unpack_text(changed, scratch.room);
          return unpacked && hashes_to_cid(scratch.thought, *unpacked, scratch.form);
        },
        *bare);
    if (is_found) prefer_as_packed(*bare, damaged);
    return is_found;
  }
  // Several bits may give the same text, because zstd leaves some unused. The row had what packing
  // the text gives, if that is one bit away, too.
  void prefer_as_packed(const Thought& bare, std::string_view damaged) {
    std::string room;
    const Result<std::string_view> text = unpack_text(row_.body, room);
    if (!text) return;
    std::string packed = pack_ahead(bare, *text);
    if (is_one_bit_away(packed, damaged)) row_.body = std::move(packed);
  }

  // What each thread has of its own.
  struct Scratch {
    std::string bytes;
    Thought thought;
    std::string room{}, form{};
  };
  template <class Holds>
  bool flip_in_parallel(std::string& bytes, std::size_t hashed, const Holds& does_hold,
                        const Thought& bare) {
    const std::size_t bits = affordable(bytes.size() * 8, hashed);
    std::vector<Scratch> scratches(std::max(1u, limits_.threads),
                                   Scratch{.bytes = bytes, .thought = bare});
    const auto bit = find_bit(bits, limits_.threads, [&](unsigned thread, std::size_t at) {
      Scratch& scratch = scratches[thread];
      scratch.bytes = with_bit_changed(std::move(scratch.bytes), at);
      const bool holds_now = does_hold(scratch.bytes, scratch);
      scratch.bytes = with_bit_changed(std::move(scratch.bytes), at);
      return holds_now;
    });
    if (!bit) return false;
    bytes = with_bit_changed(std::move(bytes), *bit);
    return true;
  }

  // How many of the bits can be tried, if each try hashes so many bytes.
  std::size_t affordable(std::size_t bits, std::size_t hashed) {
    const std::uint64_t tries = limits_.budget_bytes / std::max<std::size_t>(hashed, 1);
    if (tries >= bits) return bits;
    is_cut_off_ = true;
    return static_cast<std::size_t>(tries);
  }

  Reader& reader_;
  ThoughtRow row_;
  const Cid cid_;
  const SearchLimits limits_;
  std::string room_, form_;
  bool is_cut_off_ = false;
};

}  // namespace

FoundRow find_changed_bit(Reader& reader, const ThoughtRow& row, const Cid& cid,
                          const SearchLimits& limits) {
  FoundRow found = RowSearch(reader, row, cid, limits).search();
  if (found.row) found.row->signature = row.signature;
  return found;
}

}  // namespace weft::store::sql
