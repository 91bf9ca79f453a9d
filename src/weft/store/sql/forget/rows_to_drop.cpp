#include "weft/store/sql/forget/rows_to_drop.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/store/sql/forget/loose_names.hpp"

namespace weft::store::sql {
namespace {

class DropPlanner {
 public:
  explicit DropPlanner(const Database& database) : database_(database), words_(database) {}

  Result<RowsToDrop> plan(const Cid& identity) {
    plan_.told.identity = identity;
    WEFT_TRY_VALUE(const auto id, find_id(database_, words_, identity));
    if (id) WEFT_TRY(find_speakers(*id));
    WEFT_TRY(find_rows());
    if (plan_.told.thoughts == 0) {
      return fail(ErrorCode::not_found, "nothing here is signed by " + identity.str());
    }
    WEFT_TRY(find_conversations());
    WEFT_TRY(count_thoughts());
    WEFT_TRY_VALUE(auto loose, find_loose_names(database_, words_, plan_.rows.thoughts,
                                                plan_.rows.connections, {}));
    plan_.rows.names = std::move(loose.names);
    plan_.told.spoken_of = plan_.rows.told.spoken_of = std::move(loose.spoken_of);
    WEFT_TRY(find_sources());
    return std::move(plan_);
  }

 private:
  // An identity that a keyring speaks for signs its connection to an input schema of the owner.
  Status find_speakers(Id owner) {
    speakers_.insert(owner);
    WEFT_TRY_VALUE(const auto uses_input, words_.find_id("uses_input"));
    if (!uses_input) return {};
    std::unordered_set<Id> schemas;
    Rows signed_by = database_.query("SELECT id FROM thoughts WHERE created_by = ?", owner);
    while (signed_by.next()) schemas.insert(signed_by.integer(0));
    WEFT_TRY(signed_by.status());
    std::vector<Id> found;
    Rows inputs = database_.query(
        "SELECT from_id, to_id FROM connections WHERE relation = ? AND created_by = from_id",
        *uses_input);
    while (inputs.next()) {
      if (schemas.contains(inputs.integer(1))) found.push_back(inputs.integer(0));
    }
    WEFT_TRY(inputs.status());
    for (const Id id : found) {
      if (!speakers_.insert(id).second) continue;
      WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, id));
      plan_.told.spoken_for.push_back(cid);
    }
    std::ranges::sort(plan_.told.spoken_for);
    return {};
  }

  Status find_rows() {
    const auto collect = [this](Rows rows, std::vector<Id>& ids) -> Status {
      while (rows.next()) {
        if (speakers_.contains(rows.integer(1))) ids.push_back(rows.integer(0));
      }
      std::ranges::sort(ids);
      return rows.status();
    };
    WEFT_TRY(collect(database_.query("SELECT id, created_by FROM thoughts"), plan_.rows.thoughts));
    WEFT_TRY(
        collect(database_.query("SELECT id, created_by FROM connections"), plan_.rows.connections));
    plan_.told.thoughts = plan_.rows.thoughts.size() + plan_.rows.connections.size();
    return {};
  }

  Status find_conversations() {
    Rows rows = database_.query("SELECT id, checkpoint FROM conversations ORDER BY id");
    while (rows.next()) {
      if (!std::ranges::binary_search(plan_.rows.thoughts, rows.integer(0))) continue;
      plan_.rows.conversations.push_back(rows.integer(0));
      WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, rows.integer(0)));
      auto& told = plan_.told.conversations.emplace_back(ForgetPlan::Conversation{.cid = cid});
      if (const auto checkpoint = rows.find_integer(1)) {
        WEFT_TRY_VALUE(told.checkpoint, get_cid(database_, words_, *checkpoint));
      }
    }
    return rows.status();
  }

  // By the conversations that hold each.
  Status count_thoughts() {
    struct Run {
      Id first, last, conversation;
    };
    std::vector<Run> runs;
    Rows rows = database_.query("SELECT first, last, conversation FROM runs ORDER BY first");
    while (rows.next()) runs.push_back({rows.integer(0), rows.integer(1), rows.integer(2)});
    WEFT_TRY(rows.status());
    std::map<Id, std::uint64_t> counts;
    for (const std::vector<Id>* ids : {&plan_.rows.thoughts, &plan_.rows.connections}) {
      for (const Id id : *ids) {
        const auto after = std::ranges::upper_bound(runs, id, {}, &Run::first);
        if (after != runs.begin() && std::prev(after)->last >= id) {
          ++counts[std::prev(after)->conversation];
        }
        Rows shares = database_.query("SELECT conversation FROM shares WHERE thought = ?", id);
        while (shares.next()) ++counts[shares.integer(0)];
        WEFT_TRY(shares.status());
      }
    }
    for (std::size_t i = 0; i < plan_.rows.conversations.size(); ++i) {
      plan_.told.conversations[i].thoughts = counts[plan_.rows.conversations[i]];
      counts.erase(plan_.rows.conversations[i]);
    }
    for (const auto& [conversation, thoughts] : counts) {
      WEFT_TRY_VALUE(auto cid, get_cid(database_, words_, conversation));
      plan_.told.elsewhere.push_back({cid, thoughts});
      plan_.elsewhere.push_back(conversation);
    }
    return {};
  }

  // Sources in which none but its conversations stand, and those that were described with the same
  // key and have none: the lists of its sessions.
  Status find_sources() {
    std::set<std::string> keys;
    std::vector<std::tuple<Id, std::string, bool>>
        sources;  // id, key of its description, is theirs
    Rows rows = database_.query(
        "SELECT id, substr(about, 1, 8), (SELECT count(*) FROM source_conversations "
        "WHERE source = sources.id) FROM sources ORDER BY id");
    while (rows.next()) {
      sources.emplace_back(rows.integer(0), rows.bytes(1), rows.integer(2) == 0);
    }
    WEFT_TRY(rows.status());
    for (const auto& [id, key, is_empty] : sources) {
      if (is_empty) continue;
      bool are_all_leaving = true;
      Rows held =
          database_.query("SELECT conversation FROM source_conversations WHERE source = ?", id);
      while (held.next()) {
        are_all_leaving = are_all_leaving &&
                          std::ranges::binary_search(plan_.rows.conversations, held.integer(0));
      }
      WEFT_TRY(held.status());
      if (!are_all_leaving) continue;
      plan_.rows.sources.push_back(id);
      keys.insert(key);
    }
    for (const auto& [id, key, is_empty] : sources) {
      if (is_empty && keys.contains(key)) plan_.rows.sources.push_back(id);
    }
    plan_.told.sources = plan_.rows.sources.size();
    return {};
  }

  const Database& database_;
  const Words words_;
  std::unordered_set<Id> speakers_;
  RowsToDrop plan_;
};

}  // namespace

Result<RowsToDrop> plan_drop(const Database& database, const Cid& identity) {
  return DropPlanner(database).plan(identity);
}

}  // namespace weft::store::sql
