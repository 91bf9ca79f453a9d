// The inverted index of our own (store/inverted/inverted_index.hpp) beside FTS5, over the same
// terms in the same run: building, size, questions with scores, forgetting.
//
//   bench_postings [BLOCKS [BLOCKS_IN_COMMIT]]   (default 1,000,000 and 10,000: 600 MB of text)
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "block_texts.hpp"
#include "measure.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/search/score.hpp"
#include "weft/store/index_terms.hpp"
#include "weft/store/inverted/inverted_index.hpp"
#include "weft/store/postings/ranking.hpp"
#include "weft/store/sql/document_table.hpp"
#include "weft/store/sql/index_tables.hpp"
#include "weft/store/sqlite/fts5/fts5_for_test.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "words.hpp"

namespace {

namespace bench = weft::bench;
namespace sql = weft::store::sql;
namespace store = weft::store;
using bench::cpu_seconds;
using sql::Index;
using weft::Result;
using weft::Status;

[[noreturn]] void give_up(const weft::Error& error) {
  std::printf("%s\n", error.message.c_str());
  std::exit(1);
}
template <class T>
T must(Result<T> result) {
  if (!result) give_up(result.error());
  return *std::move(result);
}
void must(const Status& status) {
  if (!status) give_up(status.error());
}

// An index of clear text in a file of its own, and what ranking asks of it.
class Side : public sql::Postings {
 public:
  explicit Side(const std::filesystem::path& path)
      : path_(path), database_(must(sql::open_store_file(path, store::Create::yes))) {}

  // Adds documents from `first` on, in one transaction.
  void commit(sql::Document first, const std::vector<store::ThoughtTerms>& all) {
    const double began = cpu_seconds();
    auto transaction = must(sql::Transaction::begin(database_, sql::Transaction::Kind::immediate));
    add(first, all);
    must(transaction.commit());
    seconds_ += cpu_seconds() - began;
    longest_ = std::max(longest_, cpu_seconds() - began);
  }
  // The rows of documents are not what is measured.
  void append(const std::vector<sql::DocumentRow>& rows) {
    auto transaction = must(sql::Transaction::begin(database_, sql::Transaction::Kind::immediate));
    must(sql::DocumentTable(database_).append(rows));
    must(transaction.commit());
  }
  virtual double forget(const std::vector<std::pair<sql::Document, store::ThoughtTerms>>& all) = 0;
  virtual double index_bytes() = 0;
  double file_bytes() {
    must(database_.script("PRAGMA wal_checkpoint(TRUNCATE)"));
    return static_cast<double>(std::filesystem::file_size(path_));
  }
  double seconds() const { return seconds_; }
  double longest() const { return longest_; }

  Result<sql::IndexState> index_state() override {
    return sql::DocumentTable(database_).index_state();
  }
  Status each_document_page(std::int64_t first, const VisitPage& visit) override {
    return sql::DocumentTable(database_).each_document_page(first, visit);
  }
  Result<std::vector<std::string>> index_keys(Index) override { return std::vector<std::string>(); }
  Status each_word(const VisitWord&) override { return {}; }
  Result<std::vector<IdRange>> thoughts_in(const weft::Cid&) override {
    return std::vector<IdRange>();
  }
  Result<weft::thought::Thought> get_thought(sql::Id) override { return weft::thought::Thought(); }
  Result<weft::Cid> name_of(sql::Id id) override {
    return weft::Cid(weft::crypto::blake3(std::to_string(id)));
  }

 protected:
  virtual void add(sql::Document first, const std::vector<store::ThoughtTerms>& all) = 0;
  const std::filesystem::path path_;
  const sql::PlainDatabase database_;
  double seconds_ = 0, longest_ = 0;
};

class Fts5 final : public Side {
 public:
  explicit Fts5(const std::filesystem::path& path) : Side(path) {
    must(sql::create_fts5(database_));
  }
  Result<std::vector<sql::Posting>> find_postings(Index index, const sql::Sought& sought) override {
    return sql::Fts5(database_).find(index, sought);
  }
  Status each_clear_term(std::string_view prefix, const VisitTerm& visit) override {
    return sql::Fts5(database_).each_clear_term(prefix, visit);
  }
  double index_bytes() override {
    sql::Rows rows = database_.query(
        "SELECT (SELECT sum(length(block)) FROM search_clear_data) + "
        "(SELECT sum(length(term) + 8) FROM search_clear_idx)");
    return rows.next() ? static_cast<double>(rows.integer(0)) : 0;
  }
  double forget(const std::vector<std::pair<sql::Document, store::ThoughtTerms>>& all) override {
    const double began = cpu_seconds();
    auto transaction = must(sql::Transaction::begin(database_, sql::Transaction::Kind::immediate));
    for (const auto& [document, terms] : all) {
      must(sql::remove_from_fts5(database_, document, terms.clear.packed));
    }
    must(database_.script("INSERT INTO search_clear (search_clear) VALUES ('optimize')"));
    must(transaction.commit());
    return cpu_seconds() - began;
  }

 private:
  void add(sql::Document first, const std::vector<store::ThoughtTerms>& all) override {
    for (const store::ThoughtTerms& terms : all) {
      must(sql::add_to_fts5(database_, Index::clear, first++, terms.clear.packed));
    }
  }
};

class Ours final : public Side {
 public:
  using Side::Side;
  Result<std::vector<sql::Posting>> find_postings(Index index, const sql::Sought& sought) override {
    return sql::InvertedIndex(pages_, index).find(sought);
  }
  Status each_clear_term(std::string_view prefix, const VisitTerm& visit) override {
    return sql::InvertedIndex(pages_, Index::clear).each_term(prefix, visit);
  }
  // What a writer does after a commit: pieces of upkeep, each in a transaction of its own.
  void merge() {
    constexpr std::uint64_t kPiece = sql::InvertedIndex::kMergePiece;
    const std::uint64_t due = added_ * sql::InvertedIndex::kMergePerByte;
    bool is_more = true;
    for (std::uint64_t done = 0; is_more && (done == 0 || done < due); done += kPiece) {
      const double began = cpu_seconds();
      auto transaction =
          must(sql::Transaction::begin(database_, sql::Transaction::Kind::immediate));
      is_more = must(index_.merge(kPiece));
      must(transaction.commit());
      merging_ += cpu_seconds() - began;
      longest_merge_ = std::max(longest_merge_, cpu_seconds() - began);
    }
    most_runs_ = std::max(most_runs_, must(pages_.runs(Index::clear)).size());
  }
  double merging() const { return merging_; }
  double longest_merge() const { return longest_merge_; }
  std::size_t most_runs() const { return most_runs_; }
  std::size_t runs() { return must(pages_.runs(Index::clear)).size(); }
  double bytes_of(sql::PageKind kind) {
    sql::Rows rows = database_.query(
        "SELECT sum(length(p.key) + length(p.body)) FROM index_pages p "
        "WHERE p.kind = ?",
        static_cast<std::int64_t>(kind));
    return rows.next() ? static_cast<double>(rows.integer(0)) : 0;
  }
  double index_bytes() override {
    return bytes_of(sql::PageKind::terms) + bytes_of(sql::PageKind::positions);
  }
  double forget(const std::vector<std::pair<sql::Document, store::ThoughtTerms>>& all) override {
    const double began = cpu_seconds();
    std::vector<sql::Document> documents;
    for (const auto& [document, terms] : all) documents.push_back(document);
    auto transaction = must(sql::Transaction::begin(database_, sql::Transaction::Kind::immediate));
    must(index_.forget(documents));
    must(transaction.commit());
    return cpu_seconds() - began;
  }

 private:
  void add(sql::Document first, const std::vector<store::ThoughtTerms>& all) override {
    for (const store::ThoughtTerms& terms : all) builder_.add(first++, terms.clear.packed);
    added_ = must(index_.add(builder_));
  }

  sql::IndexTables pages_{database_};
  sql::InvertedIndex index_{pages_, Index::clear};
  sql::RunBuilder builder_{Index::clear};
  std::uint64_t added_ = 0;
  double merging_ = 0, longest_merge_ = 0;
  std::size_t most_runs_ = 0;
};

// A side with the documents in memory, asked as the store is.
class Asked {
 public:
  explicit Asked(Side& side) : side_(side) {
    must(documents_.refresh(side));
    documents_.need_lengths(sql::reach_of(Index::clear));
  }
  store::SearchAnswer ask(const std::string& words) {
    return must(sql::rank_thoughts(side_, documents_, pool_,
                                   {.query = weft::search::parse_query(words), .limit = 20}));
  }

 private:
  Side& side_;
  sql::Documents documents_;
  sql::ScorePool pool_;
};

// The best of a few, in milliseconds of the processor: others may use the machine.
template <class Ask>
double milliseconds(const Ask& ask) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double began = cpu_seconds();
    ask();
    best = std::min(best, (cpu_seconds() - began) * 1e3);
    if (best > 300) break;
  }
  return best;
}

// Whether totals and scores are the same to four digits.
bool is_same(const store::SearchAnswer& a, const store::SearchAnswer& b) {
  return a.total == b.total &&
         std::ranges::equal(a.found, b.found, [](const store::Found& x, const store::Found& y) {
           return x.cid == y.cid && std::abs(x.score - y.score) <= 1e-4 * std::abs(y.score);
         });
}

void ask_both(Side& ours, Side& fts5) {
  Asked one(ours), other(fts5);
  bench::Words dice(5);
  const auto word = [&](std::uint64_t from, std::uint64_t among) {
    return bench::BlockTexts::word(from + dice.number(among));
  };
  const auto common = [&] { return word(16, 40); };
  const auto letters = [&](std::size_t count) { return word(16, 20'000).substr(0, count) + "*"; };
  struct Kind {
    const char* what;
    int questions;
    std::function<std::string()> make;
  };
  const Kind kinds[] = {
      {"rare word", 10, [&] { return word(100'000, 200'000); }},
      {"middling word", 10, [&] { return word(2'000, 8'000); }},
      {"common word", 6, common},
      {"two common words", 6, [&] { return common() + " " + common(); }},
      {"phrase of common words", 6, [&] { return '"' + common() + ' ' + common() + '"'; }},
      {"phrase of rare and common", 6,
       [&] { return '"' + word(2'000, 8'000) + ' ' + common() + '"'; }},
      {"prefix of 2 letters", 10, [&] { return letters(2); }},
      {"prefix of 3 letters", 10, [&] { return letters(3); }},
      {"prefix of 4 letters", 10, [&] { return letters(4); }},
  };
  std::size_t asked = 0, different = 0;
  for (const Kind& kind : kinds) {
    double our_sum = 0, their_sum = 0, slowest = 0, matches = 0;
    for (int i = 0; i < kind.questions; ++i, ++asked) {
      const std::string words = kind.make();
      store::SearchAnswer mine, theirs;
      const double took = milliseconds([&] { mine = one.ask(words); });
      our_sum += took;
      slowest = std::max(slowest, took);
      their_sum += milliseconds([&] { theirs = other.ask(words); });
      matches += static_cast<double>(mine.total);
      different += is_same(mine, theirs) ? 0 : 1;
    }
    std::printf("  %-26s %9.3f ms   FTS5 %9.3f ms   %.2f of it   %8.0f matches   slowest %.2f ms\n",
                kind.what, our_sum / kind.questions, their_sum / kind.questions,
                our_sum / their_sum, matches / kind.questions, slowest);
  }
  std::printf("  %zu of %zu questions with other totals or scores%s\n", different, asked,
              different > 0 ? "  WRONG" : "");
}

void run(std::uint64_t blocks, std::uint64_t in_commit) {
  const bench::TempDir directory;
  Ours ours(directory.path / "ours.db");
  Fts5 fts5(directory.path / "fts5.db");
  bench::BlockTexts corpus(1);
  double extracting = 0, text = 0;
  std::uint64_t done = 0;
  const auto build_to = [&](std::uint64_t end) {
    while (done < end) {
      std::vector<store::ThoughtTerms> terms;
      std::vector<sql::DocumentRow> rows;
      for (std::uint64_t i = 0; i < in_commit; ++i) {
        weft::thought::Thought thought;
        thought.type = "test/response";
        std::string body = corpus.text();
        text += static_cast<double>(body.size());
        thought.content = {{"text", std::move(body)}};
        const double began = cpu_seconds();
        terms.push_back(*store::terms_of(thought, {}));
        extracting += cpu_seconds() - began;
        rows.push_back({.thought = static_cast<sql::Id>(done + i + 1),
                        .lengths = {static_cast<std::uint16_t>(
                            std::min(terms.back().clear.length, weft::search::kMaxLength))}});
      }
      const auto first = static_cast<sql::Document>(done + 1);
      ours.commit(first, terms);
      ours.merge();
      fts5.commit(first, terms);
      ours.append(rows);
      fts5.append(rows);
      done += in_commit;
    }
  };
  const auto report = [&] {
    std::printf("%llu blocks, %.0f MB of text, commits of %llu\n",
                static_cast<unsigned long long>(done), text / 1e6,
                static_cast<unsigned long long>(in_commit));
    const double building = ours.seconds() + ours.merging();
    std::printf(
        "  extracting terms %6.1f MB/s   ours %6.1f MB/s   FTS5 %6.1f MB/s   %.2f of its speed\n",
        text / 1e6 / extracting, text / 1e6 / building, text / 1e6 / fts5.seconds(),
        fts5.seconds() / building);
    std::printf(
        "  with extraction  ours %6.1f MB/s   FTS5 %6.1f MB/s   merging is %.0f %% of ours\n",
        text / 1e6 / (building + extracting), text / 1e6 / (fts5.seconds() + extracting),
        100 * ours.merging() / building);
    std::printf(
        "  longest: our commit %.0f ms, our piece of a merge %.0f ms, FTS5's commit %.0f ms\n",
        ours.longest() * 1e3, ours.longest_merge() * 1e3, fts5.longest() * 1e3);
    std::printf("  runs: %zu, %zu at most\n", ours.runs(), ours.most_runs());
    std::printf("  index of the text: ours %.3f (terms %.3f, positions %.3f), FTS5 %.3f\n",
                ours.index_bytes() / text, ours.bytes_of(sql::PageKind::terms) / text,
                ours.bytes_of(sql::PageKind::positions) / text, fts5.index_bytes() / text);
    std::printf("  file of the text: ours %.3f, FTS5 %.3f\n", ours.file_bytes() / text,
                fts5.file_bytes() / text);
    ask_both(ours, fts5);
  };
  build_to(blocks / 10);
  report();
  build_to(blocks);
  report();

  // Some documents from all over the index, with the terms that they were added with.
  bench::BlockTexts again(1);
  std::vector<std::pair<sql::Document, store::ThoughtTerms>> gone;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    weft::thought::Thought thought;
    thought.type = "test/response";
    thought.content = {{"text", again.text()}};
    if (i % (blocks / 10) != 7) continue;
    gone.emplace_back(static_cast<sql::Document>(i + 1), *store::terms_of(thought, {}));
  }
  const double our_time = ours.forget(gone), their_time = fts5.forget(gone);
  std::printf("forgetting %zu documents: ours %.2f s, FTS5 %.2f s, %.2f of it\n", gone.size(),
              our_time, their_time, our_time / their_time);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t blocks = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const std::uint64_t in_commit = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000;
  run(blocks, std::min(in_commit, std::max<std::uint64_t>(1, blocks / 10)));
}
