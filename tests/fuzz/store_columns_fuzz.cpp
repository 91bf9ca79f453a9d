// Any bytes as a column of the store; the first byte selects which: they are read or refused, and
// what was read is written so that it reads the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "weft/store/body.hpp"
#include "weft/store/pages/document_page.hpp"
#include "weft/store/pages/edge_page.hpp"
#include "weft/store/pages/pack.hpp"
#include "weft/store/sqlite/names/run_index.hpp"
#include "weft/store/tables/request_list.hpp"
#include "weft/store/tables/request_sums.hpp"

namespace {

using namespace weft::store::sql;

constexpr Id kSelf = 1'000;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Read>
bool is_whole(const Read& read) {
  if (!read) require(read.error().code == weft::ErrorCode::corrupt);
  return read.has_value();
}

void read_edges(std::string_view bytes) {
  std::vector<Edge> edges, again;
  if (!is_whole(unpack_edges(bytes, kSelf, edges))) return;
  require(std::ranges::is_sorted(edges, std::ranges::less_equal{}, &Edge::id));
  require(edges.empty() || edges.front().id >= kSelf);
  require(unpack_edges(pack_edges(edges, kSelf), kSelf, again).has_value());
  require(again == edges);
}

void read_names(std::string_view bytes) {
  const weft::Result<std::vector<Name>> names = unpack_names(bytes, 7);
  if (!is_whole(names) || names->empty() || !std::ranges::is_sorted(*names)) return;
  const weft::Result<std::vector<Name>> again = unpack_names(pack_names(*names, 7), 7);
  require(again && *again == *names);
}

void read_documents(std::string_view bytes) {
  const weft::Result<std::vector<DocumentRow>> rows = unpack_documents(bytes);
  static DocumentPage page;
  const weft::Status columns = page.unpack(bytes);
  require(rows.has_value() == columns.has_value() || is_whole(rows));
  if (!is_whole(rows) || rows->size() > kPageDocuments) return;
  const weft::Result<std::vector<DocumentRow>> again = unpack_documents(pack_documents(*rows));
  require(again && *again == *rows);
}

void read_because(std::string_view bytes) {
  const weft::Result<std::vector<PackedRef>> refs = unpack_refs(bytes, kSelf);
  if (!is_whole(refs)) return;
  std::string packed;
  for (const PackedRef& ref : *refs) append_ref(packed, kSelf, ref);
  const weft::Result<std::vector<PackedRef>> again = unpack_refs(packed, kSelf);
  require(again && again->size() == refs->size());
  for (std::size_t i = 0; i < refs->size(); ++i) {
    require((*again)[i].thought == (*refs)[i].thought && (*again)[i].extra == (*refs)[i].extra);
    (void)is_whole(unpack_extra(weft::Cid(), (*refs)[i].extra));
  }
}

void read_turn(std::string_view bytes) {
  if (!is_packed_turn(bytes)) return;
  const weft::Result<PackedTurn> turn = unpack_turn(bytes, kSelf);
  if (!is_whole(turn)) return;
  std::string text;
  append_turn(text, *turn, weft::Cid());
}

void read_body(std::string_view bytes) {
  std::string room;
  const weft::Result<std::string_view> text = weft::store::unpack_text(bytes, room);
  if (is_whole(text)) (void)is_whole(weft::store::parse_body(*text));
}

void read_requests(std::string_view bytes) {
  weft::store::ModelNames models;
  std::vector<weft::store::RequestEntry> requests, again;
  if (!is_whole(weft::store::unpack_requests(bytes, models, requests))) return;
  const std::string packed = weft::store::pack(requests, models);
  require(weft::store::unpack_requests(packed, models, again).has_value());
  require(again == requests);
  weft::store::merge_statements(requests, models);
}

void read_sums(std::string_view bytes) {
  weft::store::ModelNames models;
  weft::store::RequestSums sums, again;
  if (!is_whole(weft::store::unpack_sums(bytes, models, sums))) return;
  const std::string packed = weft::store::pack(sums, models);
  require(weft::store::unpack_sums(packed, models, again).has_value());
  require(again == sums);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 10) {
    case 0: read_edges(bytes); break;
    case 1: read_names(bytes); break;
    case 2: read_documents(bytes); break;
    case 3: read_because(bytes); break;
    case 4: read_turn(bytes); break;
    case 5: read_body(bytes); break;
    case 6: (void)is_whole(unpack_signature(bytes)); break;
    case 8: read_requests(bytes); break;
    case 9: read_sums(bytes); break;
    default: (void)is_whole(unpack_leaves(bytes)); break;
  }
  return 0;
}
