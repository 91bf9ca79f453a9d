#include "weft/query/commits/calls_after.hpp"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/query/edits/call_edits.hpp"
#include "weft/query/edits/call_story.hpp"
#include "weft/query/sessions/exchanges.hpp"
#include "weft/query/trace/joins.hpp"
#include "weft/query/trace/trace.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {
namespace {

class CallFinder {
 public:
  CallFinder(const Library& library, const Cid& start, const QueryControl& control)
      : library_(library),
        start_(start),
        control_(control),
        follow_(effects_in(library_)),
        foreigners_(library),
        stories_(library) {}

  Result<EditsAfter> run() && {
    std::deque<Cid> queue{start_};
    std::unordered_set<Cid> seen{start_};
    while (!queue.empty()) {
      if (control_.is_off()) return called_off();
      const Cid cid = queue.front();
      queue.pop_front();
      const Result<thought::Thought> thought = library_.web.get_without_path(cid);
      if (!thought && thought.error().code == ErrorCode::not_found && cid != start_) continue;
      if (!thought) return fail(Error(thought.error()));
      const std::string_view kind = thought::kind_of(thought->type);
      if (kind == "human_input") {
        if (cid == start_) starts_at_prompt_ = true;
        else if (!is_command_of(*thought)) continue;
      }
      WEFT_TRY_VALUE(const auto steps, follow_(*thought, foreigners_));
      if (kind == "tool_request") WEFT_TRY(add_call(*thought, steps));
      for (const Step& step : steps) {
        if (seen.insert(step.cid).second) queue.push_back(step.cid);
      }
    }
    std::ranges::stable_sort(found_.edits, {}, &MadeEdit::time);
    return std::move(found_);
  }

 private:
  bool is_command_of(const thought::Thought& thought) const {
    const json::object content = thought::open_content(thought, library_.keyring);
    return is_command(find_string(content, "text").value_or(""));
  }

  Status add_call(const thought::Thought& request, const std::vector<Step>& steps) {
    const json::object asked = thought::open_content(request, library_.keyring);
    if (asked.contains("$layers")) ++found_.sealed;
    if (!edits::may_edit(find_string(asked, "tool_name").value_or(""))) return {};
    std::optional<json::object> outcome;
    MadeEdit call{.request = request.cid, .time = request.created_at};
    for (const Step& step : steps) {
      const Result<thought::Thought> effect = library_.web.get_without_path(step.cid);
      if (!effect || thought::kind_of(effect->type) != "tool_result") continue;
      call.result = step.cid;
      outcome = thought::open_content(*effect, library_.keyring);
      break;
    }
    std::vector<edits::Edit> made = edits_in(asked, outcome ? &*outcome : nullptr);
    if (made.empty()) return {};
    // A summary of several exchanges leads on to calls that other words asked for.
    if (starts_at_prompt_) {
      WEFT_TRY_VALUE(const auto prompt, stories_.prompt_of(request.cid));
      if (prompt && *prompt != start_) return {};
    }
    WEFT_TRY_VALUE(const auto holders, holders_of(library_, request.cid, foreigners_));
    if (!holders.empty()) call.conversation = holders.front().cid;
    for (edits::Edit& edit : made) {
      found_.edits.push_back(call);
      found_.edits.back().edit = std::move(edit);
    }
    return {};
  }

  Library library_;
  Cid start_;
  const QueryControl& control_;
  Follow follow_;
  Foreigners foreigners_;
  CallStories stories_;
  bool starts_at_prompt_ = false;
  EditsAfter found_;
};

}  // namespace

Result<EditsAfter> edits_after(const Library& library, const Cid& thought,
                               const QueryControl& control) {
  return CallFinder(library, thought, control).run();
}

}  // namespace weft::query
