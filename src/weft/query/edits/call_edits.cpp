#include "weft/query/edits/call_edits.hpp"

#include <algorithm>

namespace weft::query {

std::vector<edits::Edit> edits_in(const json::object& request, const json::object* result) {
  const json::value* input = find_member(request, "input");
  if (input == nullptr) return {};
  edits::Call call{.tool = find_string(request, "tool_name").value_or(""), .input = *input};
  if (result != nullptr) {
    call.result.emplace();
    call.result->is_error = find_bool(*result, "is_error").value_or(false);
    call.result->details = find_member(*result, "details");
  }
  return edits_of(call);
}

std::vector<std::string> paths_of(const std::vector<edits::Edit>& edits) {
  std::vector<std::string> paths;
  for (const edits::Edit& edit : edits) {
    if (std::ranges::find(paths, edit.path) == paths.end()) paths.push_back(edit.path);
  }
  return paths;
}

}  // namespace weft::query
