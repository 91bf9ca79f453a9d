#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/query/ask/turns.hpp"
#include "weft/query/cost/token_totals.hpp"
#include "weft/query/questions.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

using thought::Thought;

// A token is about four characters of English or code: the usual rule of thumb.
constexpr std::uint64_t kCharsPerToken = 4;

struct Tally {
  std::uint64_t conversations = 0, turns = 0;
  Millis thinking_ms = 0, response_ms = 0, tool_ms = 0;
  std::uint64_t tool_calls = 0, tool_errors = 0;
  std::map<std::string, std::uint64_t> by_type, by_tool, by_model;
  transcript::Tokens tokens;
  std::uint64_t estimated = 0;
  std::uint64_t damaged_layers = 0;  // boxes with a key that do not open
};

class Counter {
 public:
  explicit Counter(const Library& library) : library_(library) {}

  Status count(const store::ConversationRow& row) {
    ++tally.conversations;
    WEFT_TRY_VALUE(auto turns, turns_of(library_, row));
    tally.turns += turns.size();
    chars_ = 0;
    for (const TurnView& turn : turns) {
      WEFT_TRY_VALUE(auto blocks, blocks_of(library_, turn.thought));
      for (const Cid& cid : blocks) {
        WEFT_TRY_VALUE(auto thought, library_.web.get_without_path(cid));
        count(thought);
      }
    }
    chars_of_[row.cid] = chars_;
    return {};
  }

  // After all conversations are counted.
  Status count_tokens(const std::vector<store::ConversationRow>& rows) {
    WEFT_TRY_VALUE(const auto totals, token_totals(library_, rows));
    tally.tokens = totals.tokens;
    for (const store::ConversationRow& row : totals.unknown) {
      tally.estimated += chars_of_[row.cid] / kCharsPerToken;
    }
    return {};
  }

  Tally tally;

 private:
  void count(const Thought& thought) {
    std::vector<crypto::Layer> damaged;
    const json::object content = thought::open_content(thought, library_.keyring, &damaged);
    tally.damaged_layers += damaged.size();
    ++tally.by_type[thought.type];
    const std::string_view kind = thought::kind_of(thought.type);
    const Millis duration = find_int(content, "duration_ms").value_or(0);
    const std::string tool(find_string(content, "tool_name").value_or("unknown"));
    if (kind == "thinking") tally.thinking_ms += duration;
    if (kind == "response") tally.response_ms += duration;
    if (kind == "tool_request") {
      ++tally.tool_calls;
      ++tally.by_tool[tool];
    }
    if (kind == "tool_result") {
      if (find_bool(content, "is_error").value_or(false)) ++tally.tool_errors;
      tally.tool_ms += time_since_request(thought);
    }
    count_author(thought.created_by);
    chars_ += chars_in(kind, content);
  }

  Millis time_since_request(const Thought& result) const {
    if (result.because.empty()) return 0;
    const Result<Thought> request = library_.web.get_without_path(result.because.front().thought);
    if (!request || thought::kind_of(request->type) != "tool_request") return 0;
    if (request->created_at == 0) return 0;  // unknown time
    return std::max<Millis>(0, result.created_at - request->created_at);
  }

  void count_author(const Cid& identity) {
    auto known = models_.find(identity);
    if (known == models_.end()) {
      std::string model;
      if (const Result<Thought> thought = library_.web.get_without_path(identity);
          thought && find_string(thought->content, "kind") == "model") {
        model = find_string(thought->content, "name").value_or("unknown");
      }
      known = models_.emplace(identity, std::move(model)).first;
    }
    if (!known->second.empty()) ++tally.by_model[known->second];
  }

  static std::uint64_t chars_in(std::string_view kind, const json::object& content) {
    if (const auto chars = find_int(content, "chars"); chars && *chars > 0) {
      return static_cast<std::uint64_t>(*chars);
    }
    for (const std::string_view member : {"text", "result_text", "summary"}) {
      if (const auto text = find_string(content, member)) return count_code_points(*text);
    }
    const json::value* input = find_member(content, "input");
    return kind == "tool_request" && input != nullptr ? canonical_json(*input).size() : 0;
  }

  const Library& library_;
  std::map<Cid, std::string> models_;  // by identity; empty for those that are not a model
  std::uint64_t chars_ = 0;            // of the conversation being counted
  std::map<Cid, std::uint64_t> chars_of_;
};

json::object to_object(const std::map<std::string, std::uint64_t>& counts) {
  json::object out;
  for (const auto& [name, count] : counts) out[name] = count;
  return out;
}

}  // namespace

Result<json::object> stats(const Library& library, const std::optional<store::ConversationRow>& one,
                           const QueryControl& control) {
  std::vector<store::ConversationRow> rows;
  if (one) {
    rows.push_back(*one);
  } else {
    WEFT_TRY_VALUE(auto all, library.web.conversations({}));
    rows = std::move(all);
  }
  Counter counter(library);
  for (const store::ConversationRow& row : rows) {
    if (control.is_off()) return called_off();
    WEFT_TRY(counter.count(row));
    control.report_progress(counter.tally.conversations, rows.size());
  }
  WEFT_TRY(counter.count_tokens(rows));
  const Tally& tally = counter.tally;
  json::object answer{{"conversations", tally.conversations},
                      {"turn_count", tally.turns},
                      {"thinking_ms", tally.thinking_ms},
                      {"response_ms", tally.response_ms},
                      {"tool_ms", tally.tool_ms},
                      {"tool_calls", tally.tool_calls},
                      {"tool_errors", tally.tool_errors},
                      {"by_type", to_object(tally.by_type)},
                      {"by_tool", to_object(tally.by_tool)},
                      {"by_model", to_object(tally.by_model)},
                      {"tokens", json::object{{"input", tally.tokens.input},
                                              {"output", tally.tokens.output},
                                              {"cache_read", tally.tokens.cache_read},
                                              {"cache_write", tally.tokens.cache_write_5m +
                                                                  tally.tokens.cache_write_1h},
                                              {"estimated", tally.estimated}}}};
  if (tally.damaged_layers > 0) {
    answer["notes"] = json::array{
        std::to_string(tally.damaged_layers) +
        " sealed layers do not open and were not counted; weft verify names their thoughts"};
  }
  return answer;
}

}  // namespace weft::query
