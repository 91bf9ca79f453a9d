// The store behind SQLite: one writer, several readers.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "weft/base/try.hpp"
#include "weft/store/sql/read/reader_pool.hpp"
#include "weft/store/sql/write/writer.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/scrub.hpp"
#include "weft/store/store.hpp"

namespace weft::store {
namespace sql {
namespace {

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::string& path, sqlite::Database database)
      : path_(path), writer_(std::move(database)), readers_(path) {}

  const weave::KnownWeb& known_web() const override { return known_web_; }

  Result<Committed> commit(const Batch& batch) override {
    const std::lock_guard lock(writing_);
    return named(writer_.commit(batch));
  }
  Result<Committed> adopt(const std::vector<thought::Thought>& thoughts,
                          const Indexer& indexer) override {
    const std::lock_guard lock(writing_);
    return named(writer_.adopt(thoughts, indexer));
  }
  Result<ForgetResult> forget(const ForgetRequest& forget) override {
    const std::lock_guard lock(writing_);
    return named(writer_.forget(forget, read_thoughts()));
  }
  Status reindex(const Indexer& indexer,
                 const std::function<void(std::uint64_t, std::uint64_t)>& progress) override {
    const std::lock_guard lock(writing_);
    WEFT_TRY_VALUE(auto all, ask(&Reader::count_thoughts));
    return named(writer_.reindex(indexer, read_thoughts(), [&](std::uint64_t done) {
      if (progress) progress(done, all);
    }));
  }
  Result<SearchAnswer> search(const SearchRequest& request) const override {
    return ask_again(&Reader::search, request, search_room_);
  }
  Result<TurnAnswer> search_turns(const SearchRequest& request) const override {
    return ask_again(&Reader::search_turns, request, search_room_);
  }
  Result<std::vector<ThoughtPlace>> places_of(const Cid& thought) const override {
    WEFT_TRY_VALUE(auto reader, readers_.take());
    for (;;) {
      WEFT_TRY_VALUE(auto state, reader->look());
      WEFT_TRY_VALUE(auto places, reader->places_of(thought));
      if (!places.empty()) return places;
      WEFT_TRY_VALUE(auto view,
                     search_room_.documents.view(*reader.operator->(), reach_of(Index::clear)));
      if (view) return reader->places_beside(thought, **view);
    }
  }
  Result<bool> scrub() override {
    const std::lock_guard lock(writing_);
    return named(sql::scrub(path_));
  }
  Result<ForgetPlan> plan_forget(const std::vector<Cid>& conversations,
                                 const Cid& owner) const override {
    return ask(&Reader::plan_forget, conversations, owner);
  }
  Result<std::vector<Cid>> tombstones_of(const Cid& cid) const override {
    return ask(&Reader::tombstones_of, cid);
  }

  Result<bool> has(const Cid& cid) const override { return ask(&Reader::has, cid); }
  Result<thought::Thought> get(const Cid& cid) const override { return ask(&Reader::get, cid); }
  Result<thought::Thought> get_pathless(const Cid& cid) const override {
    return ask(&Reader::get_pathless, cid);
  }
  Result<std::vector<Cid>> find_by_prefix(std::string_view hex, std::size_t limit) const override {
    return ask(&Reader::find_by_prefix, hex, limit);
  }
  Result<std::vector<thought::Connection>> connections(const Cid& cid,
                                                       std::optional<std::string_view> relation,
                                                       Direction direction) const override {
    return ask(&Reader::connections, cid, relation, direction);
  }
  Result<std::vector<Cid>> neighbours(const Cid& cid, std::string_view relation,
                                      Direction direction) const override {
    return ask(&Reader::neighbours, cid, relation, direction);
  }
  Result<std::vector<Cid>> effects(const Cid& cid) const override {
    return ask(&Reader::effects, cid);
  }
  Result<std::vector<ConversationRow>> conversations(
      const ConversationFilter& filter) const override {
    return ask(&Reader::conversations, filter);
  }
  Result<ConversationRow> conversation(const Cid& cid) const override {
    return ask(&Reader::conversation, cid);
  }
  Result<std::vector<Cid>> conversations_of(const Cid& thought) const override {
    return ask(&Reader::conversations_of, thought);
  }
  Result<std::vector<Cid>> find_blocks(const Cid& conversation, std::string_view kind,
                                       std::size_t limit) const override {
    return ask(&Reader::find_blocks, conversation, kind, limit);
  }
  Result<std::vector<PlacedBlock>> placed_blocks(const Cid& conversation, std::uint64_t mark,
                                                 std::size_t limit) const override {
    return ask(&Reader::placed_blocks, conversation, mark, limit);
  }
  Result<ChangesSince> changes_since(const std::optional<Cid>& checkpoint) const override {
    return ask(&Reader::changes_since, checkpoint);
  }
  Status each_of(const Cid& conversation,
                 const std::function<bool(thought::Thought)>& visit) const override {
    return ask(&Reader::each_of, conversation, visit);
  }
  Result<std::optional<Source>> find_source(const SourceKey& key) const override {
    return ask(&Reader::find_source, key);
  }
  Result<std::vector<Source>> find_file(std::uint64_t device, std::uint64_t inode) const override {
    return ask(&Reader::find_file, device, inode);
  }
  Result<std::vector<Source>> sources() const override { return ask(&Reader::sources); }
  Result<std::vector<Cid>> conversations_in(const SourceKey& key) const override {
    return ask(&Reader::conversations_in, key);
  }
  Result<std::vector<Source>> sources_of(const Cid& conversation) const override {
    return ask(&Reader::sources_of, conversation);
  }
  Status each_segment(const SourceKey& key, std::uint64_t generation,
                      const std::function<bool(Segment)>& visit) const override {
    return ask(&Reader::each_segment, key, generation, visit);
  }
  Result<std::optional<Segment>> last_segment(const SourceKey& key,
                                              std::uint64_t generation) const override {
    return ask(&Reader::last_segment, key, generation);
  }
  Result<std::optional<Cid>> owner() const override { return ask(&Reader::owner); }
  Status each_thought(
      const std::function<bool(thought::Thought)>& visit,
      const std::function<void(const Cid&, const std::string&)>& broken) const override {
    return ask(&Reader::each_thought, visit, broken);
  }
  Status each_connection(
      const std::function<bool(const Cid&, thought::Connection)>& visit,
      const std::function<void(const Cid&, const std::string&)>& broken) const override {
    return ask(&Reader::each_connection, visit, broken);
  }
  Result<std::vector<ScanRange>> scan_ranges() const override { return ask(&Reader::scan_ranges); }
  Status inspect(const ScanRange& range, const Inspector& inspector) const override {
    return ask(&Reader::inspect, range, inspector);
  }
  Result<std::vector<Cid>> checkpoint_log() const override { return ask(&Reader::checkpoint_log); }
  Result<std::vector<Cid>> leaves(const Cid& checkpoint) const override {
    return ask(&Reader::leaves, checkpoint);
  }
  Result<std::vector<Cid>> dangling() const override { return ask(&Reader::dangling); }

 private:
  class WebLookUps final : public weave::KnownWeb {
   public:
    explicit WebLookUps(const SqliteStore& store) : store_(store) {}

    // The filter knows the names of this process alone: commit() looks again.
    Result<bool> has(const Cid& cid) const override {
      if (store_.writer_.filter().rules_out(hash_of(cid))) return false;
      return store_.ask(&Reader::has, cid);
    }
    Result<thought::Thought> get(const Cid& cid) const override {
      return store_.ask(&Reader::get, cid);
    }
    Result<std::optional<weave::KnownConversation>> find_conversation(
        const transcript::Heading& heading) const override {
      return store_.ask(&Reader::find_conversation, heading);
    }
    Result<std::optional<Cid>> find_place(const Cid& conversation,
                                          const weave::PlaceKey& key) const override {
      return store_.ask(&Reader::find_place, conversation, key);
    }
    Result<std::vector<thought::Connection>> contents(const Cid& turn) const override {
      const std::optional<std::string_view> contains = "contains";
      const Direction out = Direction::from;
      return store_.ask(&Reader::connections, turn, contains, out);
    }
    Result<std::optional<Cid>> find_holder(const Cid& block, const Fits& fits) const override {
      // A few at a time: as a rule the first one fits, and there may be thousands.
      for (Id after = 0;;) {
        WEFT_TRY_VALUE(const auto holders, store_.ask(&Reader::holders, block, after));
        if (holders.empty()) return std::nullopt;
        for (const Holder& holder : holders) {
          WEFT_TRY_VALUE(const bool does_fit, fits(holder.conversation));
          if (does_fit) return holder.conversation;
        }
        after = holders.back().place;
      }
    }
    Result<std::optional<weave::Mark>> find_mark(const weave::PlaceKey& key) const override {
      return store_.ask(&Reader::find_mark, key);
    }
    Result<std::vector<weave::Waiting>> find_waiting(const weave::PlaceKey& key) const override {
      return store_.ask(&Reader::find_waiting, key);
    }
    Result<bool> is_forgotten(const weave::PlaceKey& heading) const override {
      return store_.ask(&Reader::is_forgotten, heading);
    }

   private:
    const SqliteStore& store_;
  };

  // With the file, where that is what failed: a disk, a lock, a permission.
  template <class T>
  Result<T> named(Result<T> result) const {
    if (result) return result;
    const ErrorCode code = result.error().code;
    if (code != ErrorCode::unavailable && code != ErrorCode::denied) return result;
    return fail(std::move(result).error().within("writing to " + path_));
  }

  // On connections of their own, which do not see what the writer is about.
  Writer::ReadThoughts read_thoughts() const {
    return {.one = [this](Id id) { return ask(&Reader::get_thought, id); },
            .all =
                [this](const std::function<Status(Id, const thought::Thought&)>& visit) {
                  return ask(&Reader::each_searched, visit);
                }};
  }

  template <class Answer, class... Params, class... Args>
  Answer ask(Answer (Reader::*question)(Params...), Args&... args) const {
    WEFT_TRY_VALUE(auto reader, readers_.take());
    // One look at the store for a question: all that it reads belongs together, and SQLite locks
    // once instead of for each statement.
    WEFT_TRY_VALUE(auto snapshot, reader->look());
    return (reader.operator->()->*question)(args...);
  }

  // For questions that look again themselves while others commit.
  template <class Answer, class... Params, class... Args>
  Answer ask_again(Answer (Reader::*question)(Params...), Args&... args) const {
    WEFT_TRY_VALUE(auto reader, readers_.take());
    return (reader.operator->()->*question)(args...);
  }

  const std::string path_;
  std::mutex writing_;
  Writer writer_;  // guarded by writing_, but for its filter
  mutable Readers readers_;
  mutable SearchRoom search_room_;
  const WebLookUps known_web_{*this};
};

}  // namespace
}  // namespace sql

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, Create create) {
  WEFT_TRY_VALUE(auto database, sql::open_store_file(path, create));
  return std::make_unique<sql::SqliteStore>(path, std::move(database));
}

}  // namespace weft::store
