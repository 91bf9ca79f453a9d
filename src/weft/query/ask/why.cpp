#include <deque>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/questions.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

using thought::Thought;

Result<json::object> get(const Library& library, const Cid& cid, Layers layers) {
  WEFT_TRY_VALUE(const auto thought, library.web.get(cid));
  if (layers == Layers::as_stored) return thought::to_json(thought);
  json::object opened = thought::to_open_json(thought, library.keyring);
  Foreigners(library).mark(thought, opened);
  return opened;
}

namespace {

// A block without a cause may begin a conversation that a call spawned.
Result<std::vector<Cid>> calls_behind(const Library& library, const Cid& block,
                                      Foreigners& foreigners) {
  WEFT_TRY_VALUE(const auto conversations, library.web.conversations_of(block));
  std::vector<store::ConversationRow> rows;
  for (const Cid& conversation : conversations) {
    WEFT_TRY_VALUE(auto row, library.web.conversation(conversation));
    rows.push_back(std::move(row));
  }
  foreigners.prefer_own(rows);
  std::vector<Cid> calls;
  for (const store::ConversationRow& row : rows) {
    WEFT_TRY_VALUE(const auto spawning, library.web.neighbours_by(row.created_by, row.cid, "spawns",
                                                                  store::Direction::to));
    calls.insert(calls.end(), spawning.begin(), spawning.end());
  }
  return calls;
}

}  // namespace

// Only CIDs are queued and remembered: 100,000 thoughts cost megabytes.
Result<bool> why(const Library& library, const Cid& cid, const WhyOptions& options,
                 const std::function<void(json::object)>& visit) {
  struct Waiting {
    Cid cid;
    std::uint64_t depth;
  };
  std::deque<Waiting> queue{{cid, 0}};
  std::unordered_set<Cid> seen{cid};
  bool truncated = false;
  Foreigners foreigners(library);
  for (std::uint64_t visited = 0; !queue.empty(); ++visited) {
    if (visited == options.limit) return true;
    if (options.control.is_off()) return called_off();
    const auto [next, depth] = queue.front();
    queue.pop_front();
    Result<Thought> thought = library.web.get(next);
    if (!thought) {
      // The causes of a foreign thought may not be stored here; verify reports that, why skips
      // them.
      if (thought.error().code == ErrorCode::not_found && depth > 0) continue;
      return fail(std::move(thought).error());
    }
    json::object opened = thought::to_open_json(*thought, library.keyring);
    foreigners.mark(*thought, opened);
    opened["depth"] = depth;
    if (options.edit) options.edit(opened);
    const bool has_room = !options.has_room || options.has_room(opened);
    if (!has_room && visited > 0) return true;
    visit(std::move(opened));
    std::vector<Cid> causes;
    for (const thought::ContentRef& ref : thought->because) causes.push_back(ref.thought);
    if (causes.empty()) {
      WEFT_TRY_VALUE(auto calls, calls_behind(library, next, foreigners));
      causes = std::move(calls);
    }
    for (const Cid& cause : causes) {
      if (seen.contains(cause)) continue;
      if (depth == options.depth) {
        truncated = true;
        continue;
      }
      seen.insert(cause);
      queue.push_back({cause, depth + 1});
    }
  }
  return truncated;
}

Result<json::object> why_answer(const Library& library, const Cid& cid, const WhyOptions& options) {
  json::array thoughts;
  Result<bool> truncated = why(
      library, cid, options, [&](json::object thought) { thoughts.push_back(std::move(thought)); });
  if (!truncated) return fail(std::move(truncated).error());
  return json::object{{"thoughts", std::move(thoughts)}, {"truncated", *truncated}};
}

Result<json::object> connections(const Library& library, const Cid& cid,
                                 const std::optional<std::string>& relation,
                                 store::Direction direction) {
  WEFT_TRY_VALUE(
      auto found,
      library.web.connections(
          cid, relation ? std::optional<std::string_view>(*relation) : std::nullopt, direction));
  json::array connections;
  Foreigners foreigners(library);
  for (const thought::Connection& connection : found) {
    json::object item{{"cid", cid_of(connection).str()},
                      {"relation", connection.relation},
                      {"from", connection.from.str()},
                      {"to", connection.to.str()}};
    item["label"] = connection.label ? json::value(*connection.label) : json::value(nullptr);
    item["index"] = connection.index ? json::value(*connection.index) : json::value(nullptr);
    item["created_by"] = connection.created_by.str();
    item["created_at"] = connection.created_at;
    const bool is_strange = connection.relation == "uses_input"
                                ? foreigners.is_foreign(thought::to_thought(connection))
                                : foreigners.is_foreign_creator(connection.created_by);
    if (is_strange) item[kForeign] = true;
    connections.push_back(std::move(item));
  }
  return json::object{{"connections", std::move(connections)}};
}

}  // namespace weft::query
