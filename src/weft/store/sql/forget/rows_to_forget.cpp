#include "weft/store/sql/forget/rows_to_forget.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/store/sql/forget/loose_names.hpp"
#include "weft/store/sql/forget/uncovered.hpp"
#include "weft/store/sql/names/names.hpp"
#include "weft/store/sql/read/newest.hpp"
#include "weft/store/sql/read/tree_leaves.hpp"
#include "weft/thought/checkpoint.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::store::sql {
namespace {

class Planner {
 public:
  Planner(const Database& database, const Cid& owner)
      : database_(database), words_(database), signatures_(database), owner_(owner) {}

  Result<RowsToForget> plan(const std::vector<Cid>& conversations) {
    WEFT_TRY(find_conversations(conversations));
    WEFT_TRY(find_words());
    for (std::size_t i = 0; i < removal_.conversations.size(); ++i) WEFT_TRY(sort_held(i));
    WEFT_TRY(spare_speakers());
    WEFT_TRY(find_orphans());
    WEFT_TRY(find_names());
    WEFT_TRY(find_sources());
    return std::move(removal_);
  }

 private:
  struct Going {
    std::size_t conversation;  // the first that held it
    bool is_edge;
    bool is_speaker;  // an identity, or the input that it speaks through
  };
  bool is_leaving(Id conversation) const { return leaving_.contains(conversation); }

  Status find_conversations(const std::vector<Cid>& conversations) {
    for (const Cid& cid : conversations) {
      WEFT_TRY_VALUE(auto id, find_id(database_, words_, cid));
      bool known = false;
      std::optional<Id> checkpoint;
      if (id) {
        Rows row = database_.query("SELECT checkpoint FROM conversations WHERE id = ?", *id);
        known = row.next();
        if (known) checkpoint = row.find_integer(0);
        WEFT_TRY(row.status());
      }
      if (!known) return fail(ErrorCode::not_found, "no conversation is named " + cid.str());
      if (!leaving_.insert(*id).second) continue;
      removal_.conversations.push_back(*id);
      auto& planned =
          removal_.told.conversations.emplace_back(ForgetPlan::Conversation{.cid = cid});
      if (!checkpoint) continue;
      WEFT_TRY_VALUE(auto newest, get_cid(database_, words_, *checkpoint));
      planned.checkpoint = newest;
    }
    return {};
  }

  Status find_words() {
    for (const auto& [text, id] : {std::pair(thought::kCheckpointType, &checkpoint_),
                                   {thought::kTombstoneType, &tombstone_},
                                   {std::string_view("identity"), &identity_},
                                   {std::string_view("uses_input"), &uses_input_}}) {
      WEFT_TRY_VALUE(auto word, words_.find_id(text));
      *id = word.value_or(0);
    }
    WEFT_TRY_VALUE(auto owner, find_id(database_, words_, owner_));
    owner_id_ = owner.value_or(0);
    return {};
  }

  // Everything that conversation `number` holds: it goes, or it stays with those who hold it
  // too. What two of the forgotten hold is counted once.
  Status sort_held(std::size_t number) {
    const Id conversation = removal_.conversations[number];
    std::vector<std::pair<Id, Id>> ranges;
    Rows runs =
        database_.query("SELECT first, last FROM runs WHERE conversation = ?", conversation);
    while (runs.next()) ranges.emplace_back(runs.integer(0), runs.integer(1));
    WEFT_TRY(runs.status());
    for (const auto& [first, last] : ranges) {
      WEFT_TRY(sort_run(number, first, last));
    }
    std::vector<Id> shared;
    Rows shares =
        database_.query("SELECT thought FROM shares WHERE conversation = ?", conversation);
    while (shares.next()) shared.push_back(shares.integer(0));
    WEFT_TRY(shares.status());
    for (const Id id : shared) {
      WEFT_TRY(sort_share(number, id));
    }
    return {};
  }

  // Runs do not overlap: others hold what stands in one by shares alone.
  Status sort_run(std::size_t number, Id first, Id last) {
    std::unordered_set<Id> kept;
    Rows shares = database_.query(
        "SELECT thought, conversation FROM shares WHERE thought BETWEEN ? AND ?", first, last);
    while (shares.next()) {
      if (!is_leaving(shares.integer(1))) kept.insert(shares.integer(0));
    }
    WEFT_TRY(shares.status());
    Rows thoughts = database_.query(
        "SELECT id, type, signature FROM thoughts WHERE id BETWEEN ? AND ?", first, last);
    while (thoughts.next()) sort_thought(number, thoughts, kept.contains(thoughts.integer(0)));
    WEFT_TRY(thoughts.status());
    Rows edges = database_.query(
        "SELECT id, relation, signature FROM connections WHERE id BETWEEN ? AND ?", first, last);
    while (edges.next()) sort_edge(number, edges, kept.contains(edges.integer(0)));
    return edges.status();
  }

  Status sort_share(std::size_t number, Id id) {
    bool kept = false;
    Rows run = database_.query(
        "SELECT conversation, last FROM runs WHERE first <= ? ORDER BY first DESC LIMIT 1", id);
    if (run.next()) kept = run.integer(1) >= id && !is_leaving(run.integer(0));
    WEFT_TRY(run.status());
    Rows shares = database_.query("SELECT conversation FROM shares WHERE thought = ?", id);
    while (!kept && shares.next()) kept = !is_leaving(shares.integer(0));
    WEFT_TRY(shares.status());
    Rows thought = database_.query("SELECT id, type, signature FROM thoughts WHERE id = ?", id);
    if (thought.next()) sort_thought(number, thought, kept);
    WEFT_TRY(thought.status());
    Rows edge = database_.query("SELECT id, relation, signature FROM connections WHERE id = ?", id);
    if (edge.next()) sort_edge(number, edge, kept);
    return edge.status();
  }

  void sort_thought(std::size_t number, const Rows& row, bool kept) {
    const Id id = row.integer(0), type = row.integer(1);
    if (type == checkpoint_ || type == tombstone_) {
      // They hold no text, and the log goes over them.
      if (type == checkpoint_ && !kept) bared_.insert(id);
      return;
    }
    if (kept || id == owner_id_) return stay(id, row.bytes(2), false);
    going_.try_emplace(id, Going{number, false, type == identity_});
  }

  void sort_edge(std::size_t number, const Rows& row, bool kept) {
    const Id id = row.integer(0);
    if (kept) return stay(id, row.bytes(2), true);
    going_.try_emplace(id, Going{number, true, row.integer(1) == uses_input_});
  }

  void stay(Id id, std::string_view signature, bool is_edge) {
    if (!staying_.insert(id).second) return;
    const Result<PackedSignature> packed = signatures_.unpack(id, signature);
    if (!packed) return;
    if (packed->kind == PackedSignature::Kind::ed25519) alone_.insert(id);
    if (packed->kind != PackedSignature::Kind::tree) return;
    removal_.orphans.push_back({id, packed->checkpoint, packed->leaf, is_edge});
  }

  // Who signed what remains, and their inputs, stay: of a conversation's own checkpoints, too.
  // There is no index for it, but most who speak do so in several conversations.
  Status spare_speakers() {
    const bool any =
        std::ranges::any_of(going_, [](const auto& going) { return going.second.is_speaker; });
    if (!any) return {};
    std::unordered_set<Id> spared;
    const auto spare = [&](Id who) {
      const auto found = going_.find(who);
      if (found != going_.end() && found->second.is_speaker) spared.insert(who);
    };
    Rows thoughts = database_.query("SELECT id, created_by, source FROM thoughts");
    while (thoughts.next()) {
      if (going_.contains(thoughts.integer(0))) continue;
      spare(thoughts.integer(1));
      if (const auto source = thoughts.find_integer(2)) spare(*source);
    }
    WEFT_TRY(thoughts.status());
    Rows edges = database_.query("SELECT id, created_by FROM connections");
    while (edges.next()) {
      if (!going_.contains(edges.integer(0))) spare(edges.integer(1));
    }
    WEFT_TRY(edges.status());
    // An input stays with its two ends: who speaks, and the schema.
    const std::vector<Id> speakers(spared.begin(), spared.end());
    for (const Id id : speakers) {
      if (!going_.at(id).is_edge) continue;
      Rows ends = database_.query("SELECT from_id, to_id FROM connections WHERE id = ?", id);
      if (ends.next()) spared.insert({ends.integer(0), ends.integer(1)});
      WEFT_TRY(ends.status());
    }
    for (const Id id : spared) {
      if (going_.erase(id) == 0) continue;
      staying_.insert(id);
      alone_.insert(id);
    }
    return {};
  }

  // What stays, and is covered by trees that lose their leaves alone.
  Status find_orphans() {
    WEFT_TRY(find_bared());
    removal_.bared.assign(bared_.begin(), bared_.end());
    std::ranges::sort(removal_.bared);
    std::erase_if(removal_.orphans, [this](const RowsToForget::Orphan& orphan) {
      return !bared_.contains(orphan.checkpoint);
    });
    std::ranges::sort(removal_.orphans, {}, &RowsToForget::Orphan::id);
    WEFT_TRY_VALUE(auto orphans,
                   find_uncovered(database_, removal_.bared, alone_, removal_.orphans));
    removal_.resigned = std::move(orphans.resigned);
    std::map<Id, RowsToForget::Adopted> by_conversation;
    for (const Uncovered::Row& row : orphans.rows) {
      WEFT_TRY_VALUE(auto heir, find_heir(database_, row, leaving_));
      if (!heir) continue;
      RowsToForget::Adopted& adopted = by_conversation[*heir];
      (row.is_edge ? adopted.edges : adopted.thoughts).push_back(row.id);
    }
    for (auto& [conversation, adopted] : by_conversation) {
      WEFT_TRY(tell_orphans(conversation, adopted));
      removal_.adopted.push_back(std::move(adopted));
    }
    return {};
  }

  // Checkpoints of the leaving, and those that only they hold, of conversations that are not
  // here.
  Status find_bared() {
    std::vector<Id> held(bared_.begin(), bared_.end());
    for (const Id id : held) {
      Rows rows = database_.query(
          "SELECT conversations.id FROM checkpoints JOIN conversations "
          "ON conversations.id = conversation WHERE checkpoints.id = ?",
          id);
      if (rows.next() && !is_leaving(rows.integer(0))) bared_.erase(id);
      WEFT_TRY(rows.status());
    }
    for (const Id conversation : removal_.conversations) {
      Rows rows =
          database_.query("SELECT id FROM checkpoints WHERE conversation = ?", conversation);
      while (rows.next()) bared_.insert(rows.integer(0));
      WEFT_TRY(rows.status());
    }
    return {};
  }

  Status tell_orphans(Id conversation, const RowsToForget::Adopted& adopted) {
    WEFT_TRY_VALUE(auto newest, newest_of(database_, conversation));
    const Id checkpoint = newest.checkpoint.value_or(0), creator = newest.creator.value_or(0);
    ForgetPlan::Orphans& told = removal_.told.orphans.emplace_back();
    for (const auto& [id, cid] : {std::pair(conversation, &told.conversation),
                                  {checkpoint, &told.checkpoint},
                                  {creator, &told.created_by}}) {
      WEFT_TRY_VALUE(auto name, get_cid(database_, words_, id));
      *cid = name;
    }
    for (const auto& [ids, names] :
         {std::pair(&adopted.thoughts, &told.thoughts), {&adopted.edges, &told.edges}}) {
      for (const Id id : *ids) {
        WEFT_TRY_VALUE(auto name, get_cid(database_, words_, id));
        names->push_back(name);
      }
    }
    return {};
  }

  // What goes, and of whose names nobody speaks any more. The names of the conversations
  // themselves stay: the log speaks of them.
  Status find_names() {
    for (const auto& [id, going] : going_) {
      (going.is_edge ? removal_.connections : removal_.thoughts).push_back(id);
      ++removal_.told.conversations[going.conversation].thoughts;
    }
    removal_.told.thoughts = going_.size();
    removal_.told.shared = staying_.size();
    std::ranges::sort(removal_.thoughts);
    std::ranges::sort(removal_.connections);
    WEFT_TRY_VALUE(auto loose, find_loose_names(database_, words_, removal_.thoughts,
                                                removal_.connections, leaving_));
    removal_.names = std::move(loose.names);
    removal_.told.spoken_of = std::move(loose.spoken_of);
    return {};
  }

  Status find_sources() {
    for (const Id conversation : removal_.conversations) {
      Rows rows = database_.query(
          "SELECT sources.id, key FROM source_conversations JOIN sources ON sources.id = source "
          "WHERE conversation = ? ORDER BY sources.id",
          conversation);
      while (rows.next()) {
        const Id source = rows.integer(0);
        if (std::ranges::find(removal_.sources, source) != removal_.sources.end()) continue;
        removal_.sources.push_back(source);
        SourceKey key{};
        const std::string_view bytes = rows.bytes(1);
        std::copy_n(bytes.begin(), std::min(bytes.size(), key.size()), key.begin());
        removal_.told.sources.push_back(key);
      }
      WEFT_TRY(rows.status());
      Rows cut = database_.query(
          "SELECT sources.id FROM sources JOIN conversations USING (format) "
          "WHERE conversations.id = ? AND modified = 0 AND inode <> 0 AND sources.id NOT IN "
          "(SELECT source FROM source_conversations WHERE conversation = ?1)",
          conversation);
      while (cut.next()) removal_.unfinished.push_back(cut.integer(0));
      WEFT_TRY(cut.status());
    }
    return {};
  }

  const Database& database_;
  const Words words_;
  Signatures signatures_;
  const Cid owner_;
  Id owner_id_ = 0, checkpoint_ = 0, tombstone_ = 0, identity_ = 0, uses_input_ = 0;  // words
  std::unordered_map<Id, Going> going_;
  std::unordered_set<Id> leaving_;  // conversations
  std::unordered_set<Id> staying_;  // thoughts that the leaving hold, and others too
  std::unordered_set<Id> alone_;    // of these, those with signatures of their own
  std::unordered_set<Id> bared_;
  RowsToForget removal_;
};

}  // namespace

Result<RowsToForget> plan_removal(const Database& database, const std::vector<Cid>& conversations,
                                  const Cid& owner) {
  return Planner(database, owner).plan(conversations);
}

}  // namespace weft::store::sql
