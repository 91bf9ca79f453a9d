// RunBuilder: collects the terms of documents in memory, in the order of documents, and writes them
// as a run, in the order of terms.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/inverted/run_writer.hpp"

namespace weft::store::sql {

// The documents of one run of one index. Reuse one for run after run.
class RunBuilder {
 public:
  explicit RunBuilder(Index index) : index_(index) {}

  // Adds the packed terms of a document (store/index_terms.hpp). Documents come in order.
  void add(Document document, std::string_view packed);

  bool empty() const { return documents_.empty(); }
  // The number of terms that were added, each as often as it was.
  std::uint64_t tokens() const { return tokens_.size() + packed_tokens_; }
  // Whether it takes so much memory (about 50 MB) that it should be written. Precondition of add():
  // it is not.
  bool is_full() const { return tokens_.size() >= kMaxTokens || long_document_; }
  // The run that write() makes, without number and level. Precondition: not empty.
  IndexRun run() const;
  // Writes everything that was added, and is empty afterwards.
  Status write(RunWriter& writer);

 private:
  static constexpr std::size_t kMaxTokens = 2'000'000;
  static constexpr std::size_t kLongDocument = 2u << 20;  // bytes of packed terms

  using TermNumber = std::uint32_t;
  struct Token {
    TermNumber term;
    std::uint32_t position;
  };
  struct Added {
    Document document;
    std::size_t end;  // of its tokens
  };
  struct Hash {
    using is_avalanching = void;
    std::size_t operator()(std::string_view text) const;
  };
  // A term in the long document, as it is written: of that, each place would take 16 bytes.
  struct Packed {
    std::uint32_t times = 0, last = 0;
    std::string positions{};
  };
  // A term at one place of one document.
  struct Place {
    std::uint32_t added;  // in documents_
    std::uint32_t position;
  };

  // Adds to the long document.
  Packed& add_times(TermNumber term, std::uint32_t times);
  void add_place(TermNumber term, std::uint32_t position, bool is_long);
  // Empty for what cannot be indexed.
  std::optional<TermNumber> number_of(std::string_view term);
  std::string_view keep(std::string_view term);
  // The places of all terms, those of a term together; they end where `ends` says, by term.
  std::vector<Place> places(std::vector<std::size_t>& ends) const;
  std::vector<TermNumber> in_order() const;
  Status write_term(RunWriter& writer, std::string_view term, const Place* begin,
                    const Place* end) const;

  Index index_;
  std::vector<Added> documents_;
  std::vector<Token> tokens_;
  std::optional<Document> long_document_;  // the last one, if it is long: its places are in packed_
  std::vector<Packed> packed_;             // by the number of the term
  std::uint64_t packed_tokens_ = 0;
  boost::unordered_flat_map<std::string_view, TermNumber, Hash> numbers_;
  std::vector<std::string_view> terms_;  // by number
  std::deque<std::string> texts_;        // what terms point into
};

}  // namespace weft::store::sql
