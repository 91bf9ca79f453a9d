#include "weft/query/verify/check_ranges.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/verify/findings.hpp"
#include "weft/query/verify/thought_checker.hpp"
#include "weft/query/verify/tombstones.hpp"
#include "weft/query/verify/tree_checker.hpp"
#include "weft/query/verify/verify.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::query {
namespace {

// Of a tree of version 1 everything that it signs has to be seen, and a range may end within it:
// then its conversation is checked.
Result<bool> is_confirmed(const store::Store& store, const Cid& cid, const QueryControl& control) {
  const Result<thought::Thought> thought = store.get_without_path(cid);
  if (!thought || thought->type != thought::kCheckpointType) return true;
  const Result<thought::Checkpoint> checkpoint = thought::to_checkpoint(*thought);
  if (!checkpoint || checkpoint->version > 1) return true;
  const Result<json::object> whole =
      verify(store, nullptr,
             {.conversations = {checkpoint->conversation}, .quick = true, .control = control});
  if (!whole && whole.error().code == ErrorCode::unavailable) return fail(Error(whole.error()));
  if (!whole) return true;
  const json::array* bad = find_array(*whole, "bad");
  return bad == nullptr || std::ranges::any_of(*bad, [&](const json::value& entry) {
           const json::object* object = entry.if_object();
           return object != nullptr && find_string(*object, "cid") == cid.str();
         });
}

}  // namespace

std::string_view to_string(RangeFinding::Kind kind) {
  switch (kind) {
    case RangeFinding::Kind::bad: return "bad";
    case RangeFinding::Kind::missing: return "missing";
    case RangeFinding::Kind::foreign: break;
  }
  return "foreign";
}

Result<std::vector<RangeFinding>> check_ranges(const store::Store& store,
                                               const std::unordered_set<Cid>& creators,
                                               std::span<const store::ScanRange> ranges,
                                               const QueryControl& control) {
  Findings findings;
  TreeChecker trees(store, nullptr, findings);
  ThoughtChecker checker(store, nullptr, trees, creators, findings, ThoughtChecker::Boxes::leave);
  const store::Inspector inspector{
      .thought = [&](const store::CanonicalThought& form) { checker.check(form); },
      .connection = [&](const std::optional<Cid>& name,
                        const thought::Connection& edge) { checker.check(name, edge); },
      .dangling = [&](const Cid& name) { findings.missing(name); },
      .broken = [&](const Cid& name, const std::string& reason) { findings.bad(name, reason); }};
  for (const store::ScanRange& range : ranges) {
    if (control.is_off()) return called_off();
    WEFT_TRY(store.audit().inspect(range, inspector));
  }
  trees.check(1);
  WEFT_TRY(findings.status());

  std::vector<RangeFinding> found;
  for (const auto& [cid, reason] : findings.all_bad()) {
    WEFT_TRY_VALUE(const bool is_bad, is_confirmed(store, cid, control));
    if (is_bad) found.push_back({RangeFinding::Kind::bad, cid, reason});
  }
  Tombstones tombstones(store, nullptr);
  for (const Cid& cid : findings.all_missing()) {
    if (tombstones.list(cid) || stands_elsewhere(store, cid)) continue;
    found.push_back({RangeFinding::Kind::missing, cid, "something refers to it"});
  }
  for (const auto& [cid, statement] : findings.all_foreign()) {
    found.push_back({RangeFinding::Kind::foreign, cid, statement.reason});
  }
  return found;
}

}  // namespace weft::query
