#include "weft/query/verify/verify.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "weft/base/hex.hpp"
#include "weft/base/parallel_for.hpp"
#include "weft/base/try.hpp"
#include "weft/query/verify/thought_checker.hpp"
#include "weft/query/verify/tombstones.hpp"
#include "weft/thought/tombstone.hpp"
#include "weft/thought/tree.hpp"

namespace weft::query {
namespace {

using thought::Connection;
using thought::Thought;

ThoughtChecker::Boxes boxes_of(const VerifyOptions& options) {
  return options.quick ? ThoughtChecker::Boxes::leave : ThoughtChecker::Boxes::open;
}

// Checks one range after another, on whichever thread is free; first what is not signed, which has
// the longest pieces.
// What was checked, and by whom it is.
struct Checked {
  Counts counts{};
  Signers signers{};
  void add(const ThoughtChecker& checker) {
    counts += checker.counts();
    signers += checker.signers();
  }
};

Result<Checked> check_whole_store(const store::Store& store, const crypto::Keyring* keyring,
                                  const VerifyOptions& options, unsigned threads,
                                  TreeChecker& trees, StoreChecks& tables, Findings& findings) {
  const QueryControl& control = options.control;
  const std::unordered_set<Cid> creators = conversation_creators(store);
  trees.expect_all();
  const Result<std::vector<store::ScanRange>> scan_ranges = store.audit().scan_ranges();
  if (!scan_ranges) return fail(Error(scan_ranges.error()));
  std::deque<ThoughtChecker> checkers;
  std::vector<store::Inspector> inspectors;
  for (unsigned i = 0; i < threads; ++i) {
    ThoughtChecker& checker =
        checkers.emplace_back(store, keyring, trees, creators, findings, boxes_of(options));
    inspectors.push_back(
        {.thought = [&](const store::CanonicalThought& form) { checker.check(form); },
         .connection = [&](const std::optional<Cid>& name,
                           const Connection& edge) { checker.check(name, edge); },
         .dangling = [&](const Cid& name) { findings.missing(name); },
         .broken = [&](const Cid& name,
                       const std::string& reason) { findings.bad(name, reason); }});
  }
  std::vector<Status> statuses(scan_ranges->size());
  std::mutex mutex;
  std::uint64_t done = 0;  // guarded by mutex
  const std::size_t pieces = tables.size() + scan_ranges->size();
  parallel_for(pieces, threads, [&](unsigned thread, std::size_t piece) {
    if (control.is_off()) return;
    if (piece < tables.size()) {
      tables.run(piece);
    } else {
      const std::size_t i = piece - tables.size();
      statuses[i] = store.audit().inspect((*scan_ranges)[i], inspectors[thread]);
    }
    const std::lock_guard lock(mutex);
    control.report_progress(++done, pieces);
  });
  if (control.is_off()) return called_off();
  WEFT_TRY(tables.status());
  for (Status& status : statuses) {
    if (!status) return fail(std::move(status).error());
  }
  Checked checked;
  for (const ThoughtChecker& checker : checkers) checked.add(checker);
  return checked;
}

// What anybody says about a conversation, its turns and blocks: others' statements are no part of
// it.
Status check_said_about(const store::Store& store, const Cid& conversation,
                        StructureChecker& structure) {
  using store::Direction;
  const auto check_edges = [&](const Cid& cid) -> Status {
    WEFT_TRY_VALUE(const auto edges, store.connections(cid, std::nullopt, Direction::both));
    for (const Connection& edge : edges) structure.check(cid_of(edge), edge);
    return {};
  };
  WEFT_TRY(check_edges(conversation));
  WEFT_TRY_VALUE(const auto effects, store.effects(conversation));
  for (const Cid& effect : effects) {
    if (const Result<Thought> thought = store.get_without_path(effect)) structure.check(*thought);
  }
  WEFT_TRY_VALUE(const auto turns, store.neighbours(conversation, "contains", Direction::from));
  for (const Cid& turn : turns) {
    WEFT_TRY(check_edges(turn));
    WEFT_TRY_VALUE(const auto blocks, store.neighbours(turn, "contains", Direction::from));
    for (const Cid& block : blocks) WEFT_TRY(check_edges(block));
  }
  return {};
}

Result<Checked> check_parts(const store::Store& store, const crypto::Keyring* keyring,
                            const VerifyOptions& options, TreeChecker& trees, Findings& findings) {
  const std::unordered_set<Cid> creators = conversation_creators(store);
  ThoughtChecker checker(store, keyring, trees, creators, findings, boxes_of(options));
  for (const Cid& conversation : options.conversations) {
    Status status = store.each_of(conversation, [&](Thought thought) {
      if (options.control.is_off()) return false;
      if (!thought::is_gone(thought)) checker.check_alone(std::move(thought));
      return true;
    });
    if (!status && status.error().code != ErrorCode::corrupt)
      return fail(std::move(status).error());
    if (options.control.is_off()) return called_off();
    // What cannot be read is the answer, not the end of it.
    if (!status) findings.bad(conversation, status.error().message);
    trees.expect_whole(conversation);
    WEFT_TRY(check_said_about(store, conversation, checker.structure()));
  }
  for (const Cid& cid : options.thoughts) {
    Result<Thought> thought = store.get(cid);
    if (thought) {
      checker.check_alone(*std::move(thought));
    } else if (thought.error().code == ErrorCode::corrupt) {
      findings.bad(cid, thought.error().message);
    } else {
      return fail(std::move(thought).error());
    }
  }
  Checked checked;
  checked.add(checker);
  return checked;
}

// Computes the head of heads, and whether the expected one is among its predecessors.
Result<Digest> check_log(const store::Store& store, const VerifyOptions& options,
                         Findings& findings) {
  WEFT_TRY_VALUE(auto log, store.audit().checkpoint_log());
  Digest head{};
  bool is_head_found = !options.head || *options.head == head;
  for (const Cid& checkpoint : log) {
    head = thought::next_head(head, checkpoint);
    is_head_found = is_head_found || head == *options.head;
  }
  if (!is_head_found) {
    findings.bad(
        Cid(*options.head),
        "this head was never reached: the store was rolled back, or it is another store's");
  }
  return head;
}

std::string note_given_up(std::size_t checkpoints) {
  const bool is_one = checkpoints == 1;
  return std::to_string(checkpoints) + (is_one ? " checkpoint was" : " checkpoints were") +
         " given up, as the creator signed when chains of one conversation were joined; what only "
         "they had follows the chains that stay";
}

json::array to_json(const store::Store& store, const std::map<Cid, ForeignStructure>& found) {
  json::array out;
  for (const auto& [cid, statement] : found) {
    json::object item{{"cid", cid.str()}, {"conversation", nullptr}, {"reason", statement.reason}};
    if (statement.conversation) item["conversation"] = statement.conversation->str();
    item["created_by"] = statement.created_by.str();
    item["key"] = nullptr;
    if (const Result<Thought> identity = store.get_without_path(statement.created_by)) {
      if (const auto key = find_string(identity->content, "pubkey")) item["key"] = *key;
    }
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace

Status add_named(const Library& library, std::string_view name, VerifyOptions& options) {
  Result<store::ConversationRow> conversation = resolve_conversation(library, name);
  if (conversation) {
    options.conversations.push_back(conversation->cid);
    return {};
  }
  Result<Cid> thought = resolve_thought(library, name);
  if (!thought) {
    const bool is_name = thought.error().code == ErrorCode::invalid_input;
    return is_name ? fail(std::move(conversation).error()) : fail(std::move(thought).error());
  }
  // A conversation whose row is damaged is checked as one, and not only its first thought.
  const bool is_damaged = conversation.error().code == ErrorCode::corrupt;
  (is_damaged ? options.conversations : options.thoughts).push_back(*thought);
  return {};
}

Result<json::object> verify(const store::Store& store, const crypto::Keyring* keyring,
                            const VerifyOptions& options) {
  Findings findings;
  TreeChecker trees(store, keyring, findings);
  // Read first, so that everything that the head covers is checked, also while others add to the
  // store.
  WEFT_TRY_VALUE(auto head, check_log(store, options, findings));
  const bool whole = options.thoughts.empty() && options.conversations.empty();
  const unsigned threads = std::max(1u, options.threads);
  const store::CheckDepth depth =
      options.quick ? store::CheckDepth::quick : store::CheckDepth::full;
  WEFT_TRY_VALUE(const auto tables, StoreChecks::prepare(store, keyring, depth, options.further));
  WEFT_TRY_VALUE(auto checked, whole ? check_whole_store(store, keyring, options, threads, trees,
                                                         *tables, findings)
                                     : check_parts(store, keyring, options, trees, findings));
  trees.check(threads);
  WEFT_TRY(findings.status());

  SignersReport signed_by;
  if (keyring != nullptr) {
    WEFT_TRY_VALUE(signed_by, report_signers(store, *keyring, checked.signers));
  }
  const Counts& counts = checked.counts;

  json::array bad;
  for (const auto& [cid, reason] : findings.all_bad()) {
    bad.push_back(json::object{{"cid", cid.str()}, {"reason", reason}});
  }
  json::array missing;
  Tombstones tombstones(store, keyring);
  for (const Cid& cid : findings.all_missing()) {
    if (!tombstones.list(cid) && !stands_elsewhere(store, cid))
      missing.push_back(json::string(cid.str()));
  }
  json::array foreign = to_json(store, findings.all_foreign());
  const bool holds = bad.empty() && missing.empty() && foreign.empty() && !tables->has_found();
  json::object answer{{"checked", counts.valid + counts.foreign + counts.consistent},
                      {"valid", counts.valid},
                      {"trusted", signed_by.trusted},
                      {"foreign", counts.foreign - signed_by.trusted},
                      {"consistent", counts.consistent},
                      {"bad", std::move(bad)},
                      {"missing", std::move(missing)},
                      {"foreign_structure", std::move(foreign)},
                      {"signers", std::move(signed_by.signers)},
                      {"store", tables->findings()},
                      {"head", to_hex(head)},
                      {"verdict", !holds               ? "bad"
                                  : keyring == nullptr ? "consistent"
                                                       : "valid"}};
  json::array notes = tables->notes();
  if (!trees.given_up().empty())
    notes.push_back(json::value(note_given_up(trees.given_up().size())));
  if (!notes.empty()) answer["notes"] = std::move(notes);
  return answer;
}

}  // namespace weft::query
