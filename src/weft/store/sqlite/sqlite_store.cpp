// The parts of a store in SQLite: each passes its questions to a reader or to the writer.
#include "weft/store/sqlite/sqlite_store.hpp"

#include "weft/base/inotify.hpp"
#include "weft/base/try.hpp"
#include "weft/store/prepared.hpp"
#include "weft/store/sqlite/mending.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/scrub.hpp"
#include "weft/store/sqlite/sqlite_snapshot.hpp"

namespace weft::store::sql {
namespace {

class SqliteKnownWeb final : public weave::KnownWeb {
 public:
  explicit SqliteKnownWeb(Connections& connections) : connections_(connections) {}

  // The filter knows the names of this process alone: commit() looks again.
  Result<bool> has(const Cid& cid) const override {
    if (connections_.filter().rules_out(hash_of(cid))) return false;
    return connections_.ask(&Reader::has, cid);
  }
  Result<thought::Thought> get(const Cid& cid) const override {
    return connections_.ask(&Reader::get, cid);
  }
  Result<std::optional<weave::KnownConversation>> find_conversation(
      const transcript::Heading& heading, const Cid& creator) const override {
    return connections_.ask(&Reader::find_conversation, heading, creator);
  }
  Result<std::optional<Cid>> find_place(const Cid& conversation,
                                        const weave::PlaceKey& key) const override {
    return connections_.ask(&Reader::find_place, conversation, key);
  }
  Result<std::vector<thought::Connection>> contents(const Cid& turn) const override {
    return connections_.ask(&Reader::contents, turn);
  }
  Result<std::vector<Cid>> usage_of(const Cid& conversation) const override {
    return connections_.ask(&Reader::usage_of, conversation);
  }
  Result<std::optional<Cid>> find_holder(const Cid& block, const Fits& fits) const override {
    // A few at a time: as a rule the first one fits, and there may be thousands.
    for (Id after = 0;;) {
      WEFT_TRY_VALUE(const auto holders, connections_.ask(&Reader::holders, block, after));
      if (holders.empty()) return std::nullopt;
      for (const Holder& holder : holders) {
        WEFT_TRY_VALUE(const bool does_fit, fits(holder.conversation));
        if (does_fit) return holder.conversation;
      }
      after = holders.back().place;
    }
  }
  Result<std::optional<weave::Mark>> find_mark(const weave::PlaceKey& key) const override {
    return connections_.ask(&Reader::find_mark, key);
  }
  Result<std::vector<weave::Waiting>> find_waiting(const weave::PlaceKey& key) const override {
    return connections_.ask(&Reader::find_waiting, key);
  }
  Result<std::vector<Cid>> neighbours(const Cid& creator, const Cid& thought,
                                      std::string_view relation, weave::End end) const override {
    const Direction direction = end == weave::End::from ? Direction::from : Direction::to;
    return connections_.ask(&Reader::neighbours_by, creator, thought, relation, direction);
  }
  Result<std::optional<weave::TimedThought>> find_response(const Cid& conversation,
                                                           Millis until) const override {
    return connections_.ask(&Reader::find_response, conversation, until);
  }
  Result<std::optional<weave::TimedThought>> find_conversation_at(
      std::string_view format, const Cid& creator, const weave::PlaceKey& place) const override {
    return connections_.ask(&Reader::find_conversation_at, format, creator, place);
  }
  Result<std::vector<weave::Wait>> waiting_summaries() const override {
    return connections_.ask(&Reader::waiting_summaries);
  }
  Result<std::optional<Cid>> sealed_as(const Cid& owner, const Cid& clear) const override {
    if (connections_.filter().rules_out(hash_of(clear))) return std::nullopt;
    return connections_.ask(&Reader::sealed_as, owner, clear);
  }
  Result<bool> is_forgotten(const weave::PlaceKey& heading) const override {
    return connections_.ask(&Reader::is_forgotten, heading);
  }

 private:
  Connections& connections_;
};

class SqliteSources final : public Sources {
 public:
  explicit SqliteSources(Connections& connections) : connections_(connections) {}

  Result<std::optional<Source>> find(const SourceKey& key) const override {
    return connections_.ask(&Reader::find_source, key);
  }
  Result<std::vector<Source>> find_by_inode(std::uint64_t device,
                                            std::uint64_t inode) const override {
    return connections_.ask(&Reader::find_file, device, inode);
  }
  Result<std::vector<Source>> all() const override { return connections_.ask(&Reader::sources); }
  Result<std::vector<Cid>> conversations_in(const SourceKey& key) const override {
    return connections_.ask(&Reader::conversations_in, key);
  }
  Result<std::vector<Source>> of(const Cid& conversation) const override {
    return connections_.ask(&Reader::sources_of, conversation);
  }
  Status each_segment(const SourceKey& key, std::uint64_t generation,
                      const std::function<bool(Segment)>& visit) const override {
    return connections_.ask(&Reader::each_segment, key, generation, visit);
  }
  Result<std::optional<Segment>> last_segment(const SourceKey& key,
                                              std::uint64_t generation) const override {
    return connections_.ask(&Reader::last_segment, key, generation);
  }

 private:
  Connections& connections_;
};

class SqliteAudit final : public Audit {
 public:
  explicit SqliteAudit(Connections& connections) : connections_(connections) {}

  Result<std::vector<ScanRange>> scan_ranges() const override {
    return connections_.ask(&Reader::scan_ranges);
  }
  Status inspect(const ScanRange& range, const Inspector& inspector) const override {
    return connections_.ask(&Reader::inspect, range, inspector);
  }
  Result<std::vector<Cid>> checkpoint_log() const override {
    return connections_.ask(&Reader::checkpoint_log);
  }
  Result<std::vector<Cid>> leaves(const Cid& checkpoint) const override {
    return connections_.ask(&Reader::leaves, checkpoint);
  }

 private:
  Connections& connections_;
};

// Reads on connections of its own, which do not see what the writer is about to change.
RowWriter::ReadThoughts read_thoughts(Connections& connections) {
  return {.one = [&connections](Id id) { return connections.ask(&Reader::get_thought, id); },
          .all =
              [&connections](const std::function<Status(Id, const thought::Thought&)>& visit) {
                return connections.ask(&Reader::each_searched, visit);
              }};
}

class SqliteForgetting final : public Forgetting {
 public:
  explicit SqliteForgetting(Connections& connections) : connections_(connections) {}

  Result<ForgetPlan> plan(const std::vector<Cid>& conversations, const Cid& owner) const override {
    return connections_.ask(&Reader::plan_forget, conversations, owner);
  }
  Result<ForgetResult> forget(const ForgetRequest& request) override {
    return connections_.write(
        [&](RowWriter& writer) { return writer.forget(request, read_thoughts(connections_)); });
  }
  Result<bool> scrub() override {
    return connections_.write([&](RowWriter&) { return sql::scrub(connections_.path()); });
  }
  Result<std::vector<Cid>> holders(const Cid& thought) const override {
    return connections_.ask(&Reader::all_holders, thought);
  }
  Status seal(const SealRequest& request) override {
    return connections_.write(
        [&](RowWriter& writer) { return writer.seal(request, read_thoughts(connections_)); });
  }
  Result<DropPlan> plan_drop(const Cid& identity) const override {
    return connections_.ask(&Reader::plan_key_drop, identity);
  }
  Status drop(const DropRequest& request) override {
    return connections_.write(
        [&](RowWriter& writer) { return writer.drop(request, read_thoughts(connections_)); });
  }
  Result<std::vector<Cid>> tombstones() const override {
    return connections_.ask(&Reader::tombstones);
  }
  Result<std::vector<Cid>> tombstones_of(const Cid& cid) const override {
    return connections_.ask(&Reader::tombstones_of, cid);
  }

 private:
  Connections& connections_;
};

class SqliteWriter final : public Writer {
 public:
  explicit SqliteWriter(Connections& connections) : connections_(connections) {}

  Plaintexts prepare(Batch& batch, const Indexer& indexer) const override {
    return prepare_units(batch, indexer);
  }
  Result<Committed> commit(const Batch& batch) override {
    return connections_.write([&](RowWriter& writer) { return writer.commit(batch); });
  }
  using Writer::import;
  Result<Committed> import(const ThoughtsToImport& thoughts, const Indexer& indexer) override {
    return connections_.write([&](RowWriter& writer) { return writer.import(thoughts, indexer); });
  }
  Status reindex(const Indexer& indexer,
                 const std::function<void(std::uint64_t, std::uint64_t)>& progress) override {
    return connections_.write([&](RowWriter& writer) -> Status {
      WEFT_TRY_VALUE(const std::uint64_t all, connections_.ask(&Reader::count_thoughts));
      return writer.reindex(indexer, read_thoughts(connections_), [&](std::uint64_t done) {
        if (progress) progress(done, all);
      });
    });
  }

 private:
  Connections& connections_;
};

class SqliteFilling final : public Filling {
 public:
  explicit SqliteFilling(Connections& connections) : connections_(connections) {}

  Result<FillProgress> progress() const override {
    return connections_.ask(&Reader::fill_progress);
  }
  Result<bool> fill(const crypto::Keyring& keyring, std::chrono::milliseconds work) override {
    return connections_.write([&](RowWriter& writer) { return writer.fill(keyring, work); });
  }

 private:
  Connections& connections_;
};

class SqliteDerived final : public Derived {
 public:
  explicit SqliteDerived(Connections& connections) : connections_(connections) {}

  Result<std::vector<StoreCheck>> checks(CheckDepth depth) const override {
    return connections_.ask(&Reader::list_checks, depth);
  }
  Result<std::vector<StoreFinding>> run(const StoreCheck& check,
                                        const crypto::Keyring* keyring) const override {
    return connections_.ask(&Reader::run_check, check, keyring);
  }
  Result<bool> has_sums() const override { return connections_.ask(&Reader::has_sums); }
  Result<Rebuilt> rebuild(
      const Indexer& indexer,
      const std::function<void(std::uint64_t, std::uint64_t)>& progress) override {
    return connections_.write([&](RowWriter& writer) {
      return writer.rebuild(indexer, read_thoughts(connections_), progress);
    });
  }
  Status accept() override {
    return connections_.write([](RowWriter& writer) { return writer.accept(); });
  }

 private:
  Connections& connections_;
};

// Every commit writes to the write-ahead log. SQLite publishes it to readers after its last byte,
// which gives no further notice: see kChangeDelayMs.
class SqliteChanges final : public Changes {
 public:
  explicit SqliteChanges(const std::string& path)
      : works_(inotify_.add(path + "-wal", IN_MODIFY).has_value()) {}

  int descriptor() const override { return works_ ? inotify_.descriptor() : -1; }
  void clear() override { inotify_.read(); }

 private:
  Inotify inotify_;
  bool works_;
};

class SqliteStore final : public Store {
 public:
  SqliteStore(const std::string& path, Database database)
      : connections_(path, std::move(database)) {}

  std::unique_ptr<Snapshot> snapshot() const override {
    return std::make_unique<SqliteSnapshot>(connections_);
  }
  const weave::KnownWeb& known_web() const override { return known_web_; }
  Writer& writer() override { return writer_; }
  const Sources& sources() const override { return sources_; }
  const Audit& audit() const override { return audit_; }
  Derived& derived() override { return derived_; }
  const Derived& derived() const override { return derived_; }
  Filling& filling() override { return filling_; }
  const Filling& filling() const override { return filling_; }
  Forgetting& forgetting() override { return forgetting_; }
  const Forgetting& forgetting() const override { return forgetting_; }
  Mending& mending() override { return mending_; }
  std::unique_ptr<Changes> changes() const override {
    return std::make_unique<SqliteChanges>(connections_.path());
  }
  Result<std::optional<Cid>> owner() const override { return connections_.ask(&Reader::owner); }

 private:
  mutable Connections connections_;
  const SqliteKnownWeb known_web_{connections_};
  const SqliteSources sources_{connections_};
  const SqliteAudit audit_{connections_};
  SqliteDerived derived_{connections_};
  SqliteFilling filling_{connections_};
  SqliteForgetting forgetting_{connections_};
  SqliteMending mending_{connections_};
  SqliteWriter writer_{connections_};
};

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& path, Create create,
                                                 OnWait on_wait) {
  WEFT_TRY_VALUE(auto database, open_store_file(path, create, std::move(on_wait)));
  return std::make_unique<SqliteStore>(path, std::move(database));
}

Result<std::unique_ptr<Store>> open_sqlite_store_to_read(const std::string& path) {
  WEFT_TRY_VALUE(auto database, open_store_file_to_read(path));
  return std::make_unique<SqliteStore>(path, std::move(database));
}

}  // namespace weft::store::sql
