// SqliteText: the full text of a store in SQLite: runs of pages (sql/run_text.hpp), and FTS5 where
// it still answers: for the documents that were there when the store was upgraded, until they are
// carried over (fts5/carry_over.hpp), and in stores of older versions, which are only read.
#pragma once

#include <array>
#include <optional>

#include "weft/store/sql/run_text.hpp"
#include "weft/store/sqlite/fts5/fts5.hpp"

namespace weft::store::sql {

class SqliteText final : public FullText {
 public:
  // `database` outlives it.
  explicit SqliteText(const PlainDatabase& database)
      : database_(database), runs_(database, RunText::Merging::afterwards), fts5_(database) {}

  Result<std::vector<Posting>> find(Index index, const Sought& sought) override;
  Status each_clear_term(std::string_view prefix, const Postings::VisitTerm& visit) override;
  Result<Document> check(Index index, std::vector<bool>& having) override;
  Status add(Index index, Document document, std::string_view packed) override {
    return runs_.add(index, document, packed);
  }
  Status flush() override { return runs_.flush(); }
  void discard() override;
  Status remove(Index index, Document document) override;
  // What FTS5 has is carried over first, all of it.
  Status compact() override;
  Status clear() override;
  std::uint64_t take_unmerged() override { return runs_.take_unmerged(); }
  Result<bool> merge(std::uint64_t bytes) override { return runs_.merge(bytes); }
  Result<bool> upgrade(const std::function<bool()>& is_over) override;

 private:
  // Who answers for an index.
  struct Answering {
    bool runs = true;
    std::optional<Document> fts5{};  // up to this document
  };
  Result<Answering> answering(Index index);

  const PlainDatabase& database_;
  RunText runs_;
  Fts5 fts5_;
  bool has_removed_ = false;               // documents, since compact()
  std::array<bool, 3> is_carried_over_{};  // by Index; once true, it stays true
  bool is_upgraded_ = false;               // nothing is left of FTS5
};

}  // namespace weft::store::sql
