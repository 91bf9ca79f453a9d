// Any bytes as a page of an inverted index, with a checksum that fits: it is read or refused as
// corrupt, alone and in a run, by questions, merging and forgetting.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "weft/store/inverted/index_pages_for_test.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/inverted/position_reader.hpp"
#include "weft/store/inverted/term_page.hpp"

namespace {

using namespace weft::store::sql;

constexpr std::uint32_t kDocuments = 1'000;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Read>
void is_read_or_corrupt(const Read& read) {
  if (!read) require(read.error().code == weft::ErrorCode::corrupt);
}

// What is whole is written as it was, if the numbers in it are as short as they can be.
void read_entries(std::string_view body) {
  TermPageReader page(body);
  TermPageWriter writer;
  std::string first, last;
  std::uint64_t end = 0;
  bool is_started = false;
  while (page.next()) {
    const TermEntry& entry = page.entry();
    require(!entry.term.empty() && entry.term.size() <= kMaxIndexedTermBytes);
    require(entry.term > last);
    last = entry.term;
    require(!is_started || entry.positions_at == end);
    end = entry.positions_at + entry.positions;
    if (!is_started) {
      writer.start(page.has_positions() ? std::optional(entry.positions_at) : std::nullopt);
    }
    is_started = true;
    writer.add(entry.term, entry.postings, entry.positions);
    PostingCursor cursor(entry.postings, kDocuments);
    Document document = 0;
    bool is_first = true;
    while (cursor.next()) {
      require(is_first || cursor.posting().document > document);
      document = cursor.posting().document;
      require(document < kDocuments && cursor.posting().times > 0);
      is_first = false;
    }
  }
  if (!is_started) return;
  // Written again, it reads the same.
  TermPageReader before(body), again(writer.body());
  while (again.next()) {
    require(before.next());
    require(before.entry().term == again.entry().term);
    require(before.entry().postings == again.entry().postings);
    require(before.entry().positions_at == again.entry().positions_at);
    require(before.entry().positions == again.entry().positions);
  }
  require(!again.is_damaged());
}

// A run whose pages are these, beside seven whole ones.
void use_in_a_run(std::string_view terms, std::string_view positions) {
  MemoryPages pages;
  for (std::uint32_t run = 0; run < InvertedIndex::kRunsOfOneLevel; ++run) {
    const IndexRun added{
        .index = Index::clear, .first = 1 + run * kDocuments, .documents = kDocuments};
    const std::int64_t number = *pages.add_run(added);
    if (run == 3) {
      const std::string key = term_key("a", 0), at = position_key(0);
      (void)pages.put_page(number, PageKind::terms, key, to_page(key, terms));
      (void)pages.put_page(number, PageKind::positions, at, to_page(at, positions));
      continue;
    }
    RunWriter writer(pages, pages.all_runs.at(number));
    for (const char* term : {"a", "b", "c"}) {
      (void)writer.add(term, {added.first, 1}, std::string_view("\0", 1));
    }
    (void)writer.flush();
  }
  InvertedIndex index(pages, Index::clear);
  is_read_or_corrupt(index.find({.terms = {"a"}}));
  is_read_or_corrupt(index.find({.terms = {"a", "b"}}));
  is_read_or_corrupt(index.find({.terms = {"a"}, .is_prefix = true}));
  is_read_or_corrupt(
      index.each_term("", [](std::string_view, std::uint64_t documents) { return documents > 0; }));
  MemoryPages other = pages;
  is_read_or_corrupt(InvertedIndex(other, Index::clear).forget(std::vector<Document>{3'001}));
  for (int piece = 0; piece < 4; ++piece) {
    const weft::Result<bool> more = index.merge(piece == 3 ? 1 << 30 : 1);
    is_read_or_corrupt(more);
    if (!more || !*more) break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = std::min<std::size_t>(data[0], bytes.size());
  read_entries(bytes);
  (void)page_body("a", bytes);
  std::string_view left = bytes;
  (void)take_positions(left, static_cast<std::uint32_t>(cut), [](std::uint32_t) {});
  use_in_a_run(bytes.substr(cut), bytes.substr(0, cut));
  return 0;
}
