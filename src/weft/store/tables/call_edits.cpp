#include "weft/store/tables/call_edits.hpp"

#include <unordered_map>

#include "weft/base/json.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/thought/content.hpp"

namespace weft::store {
namespace {

json::object parse_layer(const std::string& text) {
  if (text.empty()) return {};
  Result<ParsedJson> parsed = parse_json(text);
  return parsed && parsed->value.is_object() ? std::move(parsed->value.get_object())
                                             : json::object();
}

// The members of a block, whichever layer states them. A layer is parsed when something is looked
// for that the portions before it do not have.
class CallMembers {
 public:
  explicit CallMembers(const OpenBlock& block) : block_(block) {}

  const json::value* find(std::string_view name) {
    if (const json::value* found = find_member(block_.thought.content, name)) return found;
    if (!metadata_) metadata_ = parse_layer(block_.layers.metadata);
    if (const json::value* found = find_member(*metadata_, name)) return found;
    if (!content_) content_ = parse_layer(block_.layers.content);
    return find_member(*content_, name);
  }
  std::string_view text(std::string_view name) {
    const json::value* found = find(name);
    return found != nullptr && found->is_string() ? view(found->get_string()) : std::string_view();
  }
  bool is_true(std::string_view name) {
    const json::value* found = find(name);
    return found != nullptr && found->is_bool() && found->get_bool();
  }

 private:
  const OpenBlock& block_;
  std::optional<json::object> metadata_{}, content_{};
};

std::vector<edits::Edit> read_edits(const OpenBlock& request,
                                    const std::optional<OpenBlock>& result) {
  CallMembers asked(request);
  const std::string_view tool = asked.text("tool_name");
  if (!edits::may_edit(tool)) return {};
  const json::value* input = asked.find("input");
  if (input == nullptr) return {};
  edits::Call call{.tool = tool, .input = *input};
  if (!result) return edits_of(call);
  CallMembers answered(*result);
  call.result = {.is_error = answered.is_true("is_error"), .details = answered.find("details")};
  return edits_of(call);
}

CallEdit to_call_edit(edits::Edit edit) {
  CallEdit out{.kind = edit.kind, .is_user_modified = edit.is_user_modified};
  out.lines = edits::written_lines(edit);
  out.path = std::move(edit.path);
  out.moved_from = std::move(edit.moved_from);
  return out;
}

}  // namespace

CallPart call_part(std::string_view type) {
  const std::string_view kind = thought::kind_of(type);
  if (kind == "tool_request") return CallPart::request;
  return kind == "tool_result" ? CallPart::result : CallPart::none;
}

bool states_edits(const OpenBlock& request) { return !read_edits(request, {}).empty(); }

std::vector<CallEdit> edits_of_call(const OpenBlock& request,
                                    const std::optional<OpenBlock>& result) {
  std::vector<CallEdit> out;
  for (edits::Edit& edit : read_edits(request, result)) {
    out.push_back(to_call_edit(std::move(edit)));
  }
  return out;
}

std::vector<std::optional<CallEdits>> prepare_calls(const std::vector<thought::Thought>& thoughts,
                                                    const std::vector<OpenLayers>& layers) {
  std::vector<std::optional<CallEdits>> calls(thoughts.size());
  std::unordered_map<Cid, std::size_t> results;  // by the request that each answers
  for (std::size_t i = 0; i < thoughts.size(); ++i) {
    if (thoughts[i].because.empty() || call_part(thoughts[i].type) != CallPart::result) continue;
    results.try_emplace(thoughts[i].because.front().thought, i);
  }
  for (std::size_t i = 0; i < thoughts.size(); ++i) {
    if (call_part(thoughts[i].type) != CallPart::request) continue;
    const OpenBlock request{thoughts[i], layers[i]};
    const auto found = results.find(thoughts[i].cid);
    if (found == results.end()) {
      auto edits = edits_of_call(request, {});
      if (!edits.empty()) calls[i] = {.edits = std::move(edits)};
      continue;
    }
    const OpenBlock result{thoughts[found->second], layers[found->second]};
    auto edits = edits_of_call(request, result);
    // A call that failed is one that states edits, too: it may have been counted before.
    if (edits.empty() && !states_edits(request)) continue;
    calls[i] = {.result = result.thought.cid, .edits = std::move(edits)};
  }
  return calls;
}

std::string_view file_name_of(std::string_view path) {
  const std::size_t end = path.find_last_of("/\\");
  return end == std::string_view::npos ? path : path.substr(end + 1);
}

}  // namespace weft::store
