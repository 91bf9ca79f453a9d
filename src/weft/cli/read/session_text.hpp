// SessionText: the blocks of a session as a person reads them, one after the other.
//
// Answers are Markdown, edits are differences, a tool call is one line with what became of it and
// the beginning of its result; reasoning is shown if wanted. Memory does not grow with the session:
// a call and its result are the most that is kept at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

#include "weft/cli/read/markdown.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

struct ReadingOptions {
  bool thinking = false;      // show reasoning, as far as the keyring opens it
  bool full = false;          // fold nothing
  bool subagents = false;     // print subagents where they were called
  std::optional<Cid> mark{};  // this block is marked with ▶
};

class SessionText {
 public:
  // Everything given outlives it, also what `library` points to. `print` gets lines of at most
  // `columns`, without their ends.
  SessionText(const query::Library& library, const store::ConversationRow& conversation,
              const Style& style, std::size_t columns, const ReadingOptions& options,
              const LineSink& print, std::size_t depth = 0);

  // The next block, as NumberedBlocks::read returns it.
  Status add(const json::object& block);

 private:
  Status add_call(const json::object& block);
  Status add_result_of(const json::object& call, const std::string& cid);
  void add_result(const json::object& result);
  void add_reasoning(const json::object& block);
  void add_words(const json::object& block, std::string_view text);
  void add_other(const json::object& block);
  Status add_subagents(const Cid& call);

  void begin_turn(const json::object& block);
  void stamp(const json::object& block);
  void print_result_text(const json::object& result);
  void print_folded(std::string_view text, bool failed, const std::string& cid);
  void print_remark(const json::object& block, std::string_view words, Colour colour);
  bool is_marked(const json::object& block) const;
  Page page(std::size_t indent) const;
  std::string time_of(const json::object& block);

  query::Library library_;
  const store::ConversationRow& conversation_;
  const Style& style_;
  std::size_t columns_;
  const ReadingOptions& options_;
  const LineSink& print_;
  std::size_t depth_;  // of subagents in subagents
  Names names_;
  std::optional<std::string> directory_;     // where the session worked
  std::optional<std::int64_t> turn_;         // of the last block
  std::string date_;                         // of the last time shown
  bool begins_turn_ = false;                 // nothing was printed since its heading
  std::unordered_set<std::string> printed_;  // results that were printed with their calls
};

}  // namespace weft::cli
