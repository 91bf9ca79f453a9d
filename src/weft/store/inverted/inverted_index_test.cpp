// The inverted index beside two others: an obvious one in memory, and FTS5. Scores are computed
// from postings alone, so equal postings are equal scores.
#include "weft/store/inverted/inverted_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "weft/store/inverted/index_pages_for_test.hpp"
#include "weft/store/inverted/term_page.hpp"
#include "weft/store/inverted/texts_for_test.hpp"
#include "weft/store/pages/packed_terms.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sql/index_tables.hpp"
#include "weft/store/sqlite/fts5/fts5_for_test.hpp"
#include "weft/store/sqlite/schema.hpp"

namespace weft::store::sql {
namespace {

using testing::HasSubstr;
using Times = std::map<Document, std::uint32_t>;

Times to_map(const std::vector<Posting>& postings) {
  EXPECT_TRUE(std::ranges::is_sorted(postings, std::ranges::less_equal{}, &Posting::document));
  Times out;
  for (const Posting& posting : postings) out.emplace(posting.document, posting.times);
  return out;
}

// What an index is, without pages.
class ObviousIndex {
 public:
  void add(Document document, std::string_view packed) {
    std::int64_t position = -1;
    each_packed_term(packed, [&](std::string_view term, bool is_beside, std::uint32_t times) {
      for (; times > 0; --times) {
        if (!is_beside || position < 0) ++position;
        documents_[document].emplace(position, term);
      }
      return true;
    });
  }
  void forget(Document document) { documents_.erase(document); }

  Times find(const Sought& sought) const {
    Times out;
    for (const auto& [document, terms] : documents_) {
      std::multiset<std::int64_t> begins;
      for (const auto& [position, term] : terms) {
        if (follows(terms, position, sought, 0)) begins.insert(position);
      }
      const bool is_term = sought.terms.size() == 1 && !sought.is_prefix;
      const std::size_t times =
          is_term ? begins.size() : std::set(begins.begin(), begins.end()).size();
      if (times > 0) out[document] = static_cast<std::uint32_t>(times);
    }
    if (sought.terms.size() == 1 && !sought.is_prefix) {
      for (auto& [document, times] : out) times = count(document, sought.terms.front());
    }
    return out;
  }
  std::map<std::string, std::uint64_t> terms(std::string_view prefix) const {
    std::map<std::string, std::set<Document>> having;
    for (const auto& [document, terms] : documents_) {
      for (const auto& [position, term] : terms) {
        if (term.starts_with(prefix)) having[term].insert(document);
      }
    }
    std::map<std::string, std::uint64_t> out;
    for (const auto& [term, documents] : having) out[term] = documents.size();
    return out;
  }
  std::vector<Document> documents() const {
    std::vector<Document> out;
    for (const auto& [document, terms] : documents_) out.push_back(document);
    return out;
  }

 private:
  using Terms = std::multimap<std::int64_t, std::string>;  // by position
  static bool follows(const Terms& terms, std::int64_t position, const Sought& sought,
                      std::size_t at) {
    if (at == sought.terms.size()) return true;
    const auto [from, to] = terms.equal_range(position);
    const bool is_prefix = sought.is_prefix && at + 1 == sought.terms.size();
    const bool is_here = std::any_of(from, to, [&](const auto& one) {
      return is_prefix ? one.second.starts_with(sought.terms[at]) : one.second == sought.terms[at];
    });
    return is_here && follows(terms, position + 1, sought, at + 1);
  }
  std::uint32_t count(Document document, const std::string& term) const {
    return static_cast<std::uint32_t>(std::ranges::count_if(
        documents_.at(document), [&term](const auto& one) { return one.second == term; }));
  }

  std::map<Document, Terms> documents_;
};

enum class Backend { memory, sqlite };

class InvertedIndexTest : public testing::TestWithParam<Backend> {
 protected:
  InvertedIndexTest() {
    EXPECT_TRUE(create_fts5(database_));
    if (GetParam() == Backend::sqlite) {
      tables_ = std::make_unique<IndexTables>(database_);
    }
  }
  IndexPages& pages() { return tables_ ? static_cast<IndexPages&>(*tables_) : memory_; }
  // Made anew for each use, as by one process after another.
  InvertedIndex index() { return {pages(), Index::clear}; }

  // Adds texts as one commit to all indexes.
  void commit(const std::vector<std::string>& texts) {
    RunBuilder builder(Index::clear);
    for (const std::string& text : texts) {
      const std::string packed = packed_terms_of(text);
      builder.add(++last_, packed);
      obvious_.add(last_, packed);
      ASSERT_TRUE(add_to_fts5(database_, Index::clear, last_, packed));
      packed_[last_] = packed;
    }
    if (builder.empty()) return;
    ASSERT_TRUE(index().add(builder));
    EXPECT_TRUE(builder.empty());
  }
  void forget(const std::vector<Document>& documents) {
    ASSERT_TRUE(index().forget(documents));
    for (const Document document : documents) {
      obvious_.forget(document);
      ASSERT_TRUE(remove_from_fts5(database_, document, packed_[document]));
    }
  }
  void merge_all() {
    while (true) {
      const Result<bool> more = index().merge(20'000);
      ASSERT_TRUE(more) << more.error().message;
      if (!*more) return;
    }
  }
  Times find(const Sought& sought) {
    const Result<std::vector<Posting>> found = index().find(sought);
    EXPECT_TRUE(found) << found.error().message;
    return found ? to_map(*found) : Times{};
  }
  void check(const Sought& sought) {
    const Times expected = obvious_.find(sought);
    EXPECT_EQ(find(sought), expected) << testing::PrintToString(sought.terms) << sought.is_prefix;
    EXPECT_EQ(to_map(*Fts5(database_).find(Index::clear, sought)), expected)
        << testing::PrintToString(sought.terms) << sought.is_prefix;
  }
  void check_terms(const std::string& prefix) {
    std::map<std::string, std::uint64_t> found;
    std::string last;
    ASSERT_TRUE(index().each_term(prefix, [&](std::string_view term, std::uint64_t documents) {
      EXPECT_LT(last, term);
      last = term;
      found[last] = documents;
      return true;
    }));
    EXPECT_EQ(found, obvious_.terms(prefix));
  }
  std::size_t runs() { return pages().runs(Index::clear)->size(); }
  // All bytes of all pages.
  std::string bytes() {
    std::string out;
    const std::vector<IndexRun> runs = pages().runs(Index::clear).value();
    for (const IndexRun& run : runs) {
      for (const PageKind kind : {PageKind::terms, PageKind::positions}) {
        const auto all = pages().read_pages(run.number, kind, term_key("", 0), 1'000'000).value();
        for (const IndexPage& page : all) out += page.key + page.body;
      }
    }
    return out;
  }

  const Scratch scratch_;
  const PlainDatabase database_ = open_store_file(scratch_.path() / "weft.db", Create::yes).value();
  MemoryPages memory_;
  std::unique_ptr<IndexTables> tables_;
  ObviousIndex obvious_;
  Document last_ = 0;
  std::map<Document, std::string> packed_;
};
INSTANTIATE_TEST_SUITE_P(Backends, InvertedIndexTest,
                         testing::Values(Backend::memory, Backend::sqlite),
                         [](const testing::TestParamInfo<Backend>& info) {
                           return info.param == Backend::memory ? "memory" : "sqlite";
                         });

TEST_P(InvertedIndexTest, AnEmptyOneFindsNothing) {
  EXPECT_TRUE(find({.terms = {"a"}}).empty());
  EXPECT_TRUE(find({.terms = {"a"}, .is_prefix = true}).empty());
  EXPECT_TRUE(find({.terms = {"a", "b"}}).empty());
  EXPECT_TRUE(find({}).empty());
  check_terms("");
  merge_all();
  forget({});
  EXPECT_EQ(runs(), 0u);
}

TEST_P(InvertedIndexTest, FindsWhatTheObviousOneAndFts5Find) {
  const std::uint64_t seed = GetParam() == Backend::memory ? 1 : 2;
  Texts texts(seed);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> commit_texts(1 + texts.random() % (1 + texts.random() % 40));
    for (std::string& text : commit_texts) text = texts.text();
    commit(commit_texts);
    // A piece of a merge, often less than one needs.
    if (texts.random() % 2 == 0) {
      ASSERT_TRUE(index().merge(texts.random() % 30'000));
    }
    if (texts.random() % 8 == 0) {
      std::vector<Document> gone;
      for (const Document document : obvious_.documents()) {
        if (texts.random() % 20 == 0) gone.push_back(document);
      }
      forget(gone);
    }
    for (int i = 0; i < 4; ++i) {
      check({.terms = {texts.word()}});
      check({.terms = {texts.word(), texts.word()}});
      check({.terms = {texts.word().substr(0, 1 + texts.random() % 3)}, .is_prefix = true});
    }
    check({.terms = {"the", "apple"}});
    check({.terms = {"the", "the", "kiwi"}});
    check({.terms = {"the", "app"}, .is_prefix = true});
  }
  check_terms("a");
  merge_all();
  check({.terms = {"apple", "zebra"}});
  check({.terms = {"app"}, .is_prefix = true});
  check_terms("");
  check_terms("b1");
}

TEST_P(InvertedIndexTest, RunsStayFewWhileLinesAreFollowed) {
  std::size_t most = 0;
  for (int i = 0; i < 300; ++i) {
    commit({"apple kiwi b" + std::to_string(i)});
    ASSERT_TRUE(index().merge(1 << 16));
    most = std::max(most, runs());
  }
  // Of three levels, and one that others are merged into.
  EXPECT_LE(most, 3 * InvertedIndex::kRunsOfOneLevel);
  EXPECT_EQ(find({.terms = {"apple"}}).size(), 300u);
  EXPECT_EQ(find({.terms = {"b299"}}), (Times{{300, 1}}));
}

TEST_P(InvertedIndexTest, NothingIsMissingOrTwiceBetweenThePiecesOfAMerge) {
  Texts texts(5);
  for (std::size_t i = 0; i < InvertedIndex::kRunsOfOneLevel; ++i) {
    // One word has postings on two pages of the first run: a piece ends in the middle of them.
    std::vector<std::string> same(i == 0 ? 9'000 : 50, "apple");
    for (int more = 0; more < 20; ++more) same.push_back(texts.text());
    commit(same);
  }
  const Sought phrase{.terms = {"apple", "kiwi"}};
  const Times before = find({.terms = {"apple"}}), before_phrase = find(phrase);
  std::size_t pieces = 0, bytes_before = bytes().size();
  for (bool is_more = true; is_more; ++pieces) {
    const Result<bool> more = index().merge(1);
    ASSERT_TRUE(more) << more.error().message;
    is_more = *more;
    EXPECT_EQ(find({.terms = {"apple"}}), before);
    EXPECT_EQ(find(phrase), before_phrase);
    // What was moved is no longer where it was.
    EXPECT_LT(bytes().size(), bytes_before + 2 * kIndexPageBytes);
  }
  EXPECT_GT(pieces, 5u);
  EXPECT_EQ(runs(), 1u);
  check({.terms = {"apple"}});
  check(phrase);
  check_terms("");
}

TEST_P(InvertedIndexTest, WhatIsForgottenIsNoLongerInAnyByte) {
  Texts texts(6);
  commit({"the marker_one kiwi", "apple", texts.text()});
  for (std::size_t i = 1; i < InvertedIndex::kRunsOfOneLevel; ++i) {
    commit({texts.text(), texts.text()});
  }
  ASSERT_THAT(bytes(), HasSubstr("marker"));
  forget({1});
  EXPECT_THAT(bytes(), testing::Not(HasSubstr("marker")));
  EXPECT_TRUE(find({.terms = {"marker"}}).empty());
  check({.terms = {"apple"}});
  check_terms("");
  merge_all();
  check_terms("");
}

TEST_P(InvertedIndexTest, ForgettingReachesBothSidesOfAMergeUnderWay) {
  Texts texts(8);
  for (std::size_t i = 0; i < InvertedIndex::kRunsOfOneLevel; ++i) {
    std::vector<std::string> some(40, "zz_marker");
    for (std::string& text : some) text += " apple " + texts.text();
    commit(some);
  }
  ASSERT_TRUE(index().merge(1));
  ASSERT_GT(runs(), 2u);
  std::vector<Document> all = obvious_.documents();
  forget(all);
  EXPECT_THAT(bytes(), testing::Not(HasSubstr("marker")));
  EXPECT_THAT(bytes(), testing::Not(HasSubstr("apple")));
  merge_all();
  EXPECT_TRUE(find({.terms = {"apple"}}).empty());
}

TEST_P(InvertedIndexTest, ForgettingLeavesRunsThatDoNotHaveItAsTheyAre) {
  commit({"apple"});
  commit({"kiwi", "zebra"});
  const std::int64_t untouched = pages().runs(Index::clear)->front().number;
  forget({2});
  EXPECT_EQ(pages().runs(Index::clear)->front().number, untouched);
  const std::vector<IndexRun> before = *pages().runs(Index::clear);
  forget({2});  // again
  EXPECT_EQ(*pages().runs(Index::clear), before);
}

TEST_P(InvertedIndexTest, ASealedIndexHasNoPositionsAndFindsWholeTerms) {
  InvertedIndex sealed(pages(), Index::content);
  RunBuilder builder(Index::content);
  const char repeat[] = "\xff\x03\0\0\0";
  builder.add(1, std::string("\x02h1\x02h1\x02h2", 9));
  builder.add(2, std::string(repeat, 5) + "\x02h2");
  ASSERT_TRUE(sealed.add(builder));
  EXPECT_EQ(to_map(*sealed.find({.terms = {"h1"}})), (Times{{1, 2}}));
  EXPECT_EQ(to_map(*sealed.find({.terms = {"h2"}})), (Times{{1, 1}, {2, 3}}));
  EXPECT_EQ(sealed.find({.terms = {"h1", "h2"}}).error().code, ErrorCode::internal);
  EXPECT_EQ(sealed.find({.terms = {"h"}, .is_prefix = true}).error().code, ErrorCode::internal);
  EXPECT_TRUE(find({.terms = {"h1"}}).empty());  // another index of the same pages
  const IndexRun run = pages().runs(Index::content)->front();
  EXPECT_TRUE(pages().read_pages(run.number, PageKind::positions, position_key(0), 1)->empty());
}

TEST_P(InvertedIndexTest, ALongDocumentIsFoundAsOthersAre) {
  const std::string plum = "pl" + std::string(60, 'u') + "m";
  std::string text = "pear apple";
  while (text.size() < (3u << 20)) text += " apple pear " + plum + " " + plum;
  commit({"apple pear " + plum, text});
  commit({plum});
  for (const std::string& term : {std::string("apple"), std::string("pear"), plum}) {
    check({.terms = {term}});
  }
  check({.terms = {"apple", "pear"}});
  check({.terms = {"pear", "apple"}});
  check({.terms = {"p"}, .is_prefix = true});
  merge_all();
  check({.terms = {"pear", plum, plum}});
  forget({2});
  check({.terms = {plum}});
}

TEST_P(InvertedIndexTest, ATermOfAnyLengthFitsOnAPage) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(std::to_string(1'000 + i) + std::string(246, 'x'));
  commit(texts);
  for (int i = 0; i < 100; i += 9) check({.terms = {texts[static_cast<std::size_t>(i)]}});
  const std::vector<IndexRun> runs = pages().runs(Index::clear).value();
  const auto all = pages().read_pages(runs.front().number, PageKind::terms, term_key("", 0), 99);
  EXPECT_GT(all->size(), 2u);
  // A row of SQLite with its key and 20 bytes more stays in its page of 8,192 bytes.
  for (const IndexPage& page : all.value()) EXPECT_LT(page.key.size() + page.body.size(), 8'130u);
  check_terms("");
}

}  // namespace
}  // namespace weft::store::sql
