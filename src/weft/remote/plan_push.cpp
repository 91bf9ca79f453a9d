#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/ingest/discover/selection.hpp"
#include "weft/remote/describe.hpp"
#include "weft/remote/push.hpp"
#include "weft/remote/statements.hpp"
#include "weft/remote/updates.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::remote {
namespace {

constexpr std::size_t kTipsAtOnce = 1'000;

// The states that the remote has, by conversation.
using Theirs = std::unordered_map<Cid, std::vector<Cid>>;

class Planner {
 public:
  Planner(const store::Store& store, const crypto::Keyring* keyring, const Remote& remote,
          const RemoteState& state, const PushOptions& options)
      : store_(store),
        web_(store.snapshot()),
        library_{.web = *web_, .keyring = keyring},
        remote_(remote),
        state_(state),
        options_(options) {}

  Result<PushPlan> plan() {
    WEFT_TRY_VALUE(owner_, find_owner(store_, library_.keyring));
    WEFT_TRY_VALUE(const auto rows, candidates());
    WEFT_TRY_VALUE(const auto theirs, tips_there(rows));
    WEFT_TRY_VALUE(const auto forgotten, remote_.forgotten());
    const Statements statements = sort_statements(forgotten);
    std::uint64_t done = 0;
    for (const store::ConversationRow& row : rows) {
      WEFT_TRY(place(row, theirs, statements));
      if (options_.progress) options_.progress(++done, rows.size());
    }
    WEFT_TRY(hold_back());
    WEFT_TRY(plan_forgetting());
    return std::move(plan_);
  }

  Result<std::vector<PushPlan::Forget>> forgotten_only() {
    WEFT_TRY_VALUE(owner_, find_owner(store_, library_.keyring));
    WEFT_TRY(plan_forgetting());
    return std::move(plan_.forget);
  }

 private:
  // The oldest change first.
  Result<std::vector<store::ConversationRow>> candidates() {
    WEFT_TRY_VALUE(const auto mark, find_mark());
    WEFT_TRY_VALUE(const auto changes, web_->changes_since(mark));
    plan_.mark = changes.checkpoint;
    std::vector<store::ConversationRow> rows;
    if (!mark) {
      WEFT_TRY_VALUE(rows, web_->conversations({}));
      std::ranges::reverse(rows);
      return rows;
    }
    std::unordered_set<Cid> seen;
    for (const std::vector<Cid>* list : {&state_.pending, &changes.conversations}) {
      for (const Cid& cid : *list) {
        if (!seen.insert(cid).second) continue;
        Result<store::ConversationRow> row = web_->conversation(cid);
        if (!row && row.error().code == ErrorCode::not_found) continue;  // it was forgotten
        if (!row) return fail(std::move(row).error());
        rows.push_back(*std::move(row));
      }
    }
    return rows;
  }

  // Up to where the last push came; empty if everything is to be compared.
  Result<std::optional<Cid>> find_mark() const {
    if (!state_.pushed || options_.compares_all) return std::nullopt;
    if (state_.pushed_projects != options_.projects) return std::nullopt;
    WEFT_TRY_VALUE(const bool is_ours, web_->has(*state_.pushed));
    if (!is_ours) return std::nullopt;
    if (!state_.witness) return state_.pushed;
    WEFT_TRY_VALUE(const auto there, remote_.tips_of(std::span(&*state_.witness, 1)));
    return there.empty() ? std::nullopt : state_.pushed;
  }

  Result<Theirs> tips_there(const std::vector<store::ConversationRow>& rows) const {
    Theirs theirs;
    std::vector<Cid> asked;
    const auto ask = [&]() -> Status {
      WEFT_TRY_VALUE(const auto tips, remote_.tips_of(asked));
      for (const Tip& tip : tips) theirs[tip.conversation].push_back(tip.checkpoint);
      asked.clear();
      return {};
    };
    for (const store::ConversationRow& row : rows) {
      asked.push_back(row.cid);
      if (asked.size() == kTipsAtOnce) WEFT_TRY(ask());
    }
    if (!asked.empty()) WEFT_TRY(ask());
    return theirs;
  }

  // Decides what becomes of one conversation.
  Status place(const store::ConversationRow& row, const Theirs& theirs,
               const Statements& statements) {
    const std::optional<Tip> tip = tip_of(row);
    if (!tip) return {};
    Update update{.tip = *tip};
    bool is_equal = false, is_unknown = false;
    if (const auto found = theirs.find(row.cid); found != theirs.end()) {
      for (const Cid& checkpoint : found->second) {
        if (checkpoint == tip->checkpoint) {
          is_equal = true;
          continue;
        }
        WEFT_TRY_VALUE(const bool is_older, has_passed(*web_, {row.cid, checkpoint}));
        if (is_older) {
          update.since = checkpoint;
          continue;
        }
        WEFT_TRY_VALUE(const bool is_given_up, was_given_up(*web_, {row.cid, checkpoint}));
        is_unknown = is_unknown || !is_given_up;
      }
    }
    if (is_unknown) {
      if (row.created_by == owner_)
        plan_.pull_first.push_back(describe_conversation(library_, row).named);
      return {};
    }
    if (is_equal) ++plan_.equal;
    if (is_equal && !options_.compares_all) return {};
    Described described = describe_conversation(library_, row);
    const ingest::Selection selection{.include = options_.projects};
    const bool is_selected = !options_.projects.empty() &&
                             selection.refuses(described.folder, described.named.project).empty();
    if (!is_selected) {
      plan_.not_selected += is_equal ? 0 : 1;
      return {};
    }
    if (is_equal) {
      plan_.compare.push_back({.named = std::move(described.named), .update = update});
      return {};
    }
    if (find_statement(statements, row.cid, row.created_by) != nullptr) {
      plan_.forgotten_there.push_back(std::move(described.named));
      return {};
    }
    plan_.send.push_back({.named = std::move(described.named), .update = update});
    return {};
  }

  Status hold_back() {
    if (options_.with_secrets) return {};
    std::vector<Cid> conversations;
    for (const PushPlan::Send& send : plan_.send) {
      conversations.push_back(send.named.conversation);
    }
    WEFT_TRY_VALUE(const auto secrets, find_clear_secrets(library_, conversations));
    std::erase_if(plan_.send, [&](PushPlan::Send& send) {
      const auto found = secrets.find(send.named.conversation);
      if (found == secrets.end()) return false;
      plan_.held_back.push_back({.named = std::move(send.named), .rules = found->second});
      return true;
    });
    return {};
  }

  // What the owner forgot here, and made: the remote may have it still.
  Status plan_forgetting() {
    WEFT_TRY_VALUE(const auto tombstones, store_.forgetting().tombstones());
    std::vector<Cid> conversations;
    std::vector<Forgotten> own;
    for (const Cid& cid : tombstones) {
      WEFT_TRY_VALUE(auto tombstone, web_->get_without_path(cid));
      if (tombstone.created_by != owner_) continue;
      const Result<thought::Tombstone> content = thought::to_tombstone(tombstone);
      if (!content) continue;
      WEFT_TRY_VALUE(auto identity, web_->get_without_path(tombstone.created_by));
      for (const Cid& conversation : content->conversations) {
        WEFT_TRY_VALUE(const auto tip, find_tip(*web_, conversation));
        if (!tip) conversations.push_back(conversation);
      }
      own.push_back({.tombstone = std::move(tombstone), .identity = std::move(identity)});
    }
    if (conversations.empty()) return {};
    const Statements statements = sort_statements(own);
    WEFT_TRY_VALUE(const auto there, remote_.tips_of(conversations));
    for (const Tip& tip : there) {
      WEFT_TRY_VALUE(const auto creator, creator_there(tip));
      if (!creator) continue;
      const Forgotten* statement = find_statement(statements, tip.conversation, *creator);
      if (statement != nullptr) plan_.forget.push_back({.tip = tip, .statement = *statement});
    }
    return {};
  }

  // Who made a conversation, as the remote has it; empty if that cannot be read.
  Result<std::optional<Cid>> creator_there(const Tip& tip) const {
    std::optional<Cid> creator;
    const Result<ingest::ThoughtsFile> file = remote_.read({{.tip = tip}});
    if (!file) return creator;
    WEFT_TRY(file->each_line([&](const ingest::ThoughtsFile::Line& line) {
      const bool is_candidate =
          !creator && line.text.find(tip.conversation.str()) != std::string_view::npos;
      if (!is_candidate) return Status();
      const Result<thought::Thought> thought = ingest::parse_thought_line(line.text);
      const bool is_it = thought && thought->cid == tip.conversation &&
                         thought::cid_of(*thought) == tip.conversation;
      if (is_it) creator = thought->created_by;
      return Status();
    }));
    return creator;
  }

  const store::Store& store_;
  const std::unique_ptr<store::Snapshot> web_;
  const query::Library library_;
  const Remote& remote_;
  const RemoteState& state_;
  const PushOptions& options_;
  std::optional<Cid> owner_{};  // of this home
  PushPlan plan_{};
};

}  // namespace

Result<PushPlan> plan_push(const store::Store& store, const crypto::Keyring* keyring,
                           const Remote& remote, const RemoteState& state,
                           const PushOptions& options) {
  return Planner(store, keyring, remote, state, options).plan();
}

Result<std::vector<PushPlan::Forget>> plan_forgetting(const store::Store& store,
                                                      const crypto::Keyring* keyring,
                                                      const Remote& remote) {
  const RemoteState state;
  const PushOptions options;
  return Planner(store, keyring, remote, state, options).forgotten_only();
}

}  // namespace weft::remote
