// The parts of a store: each passes its questions to a reader or to the writer.
#include "weft/store/sql/parts/row_store.hpp"

#include "weft/base/try.hpp"
#include "weft/store/replacing.hpp"
#include "weft/store/sql/parts/row_snapshot.hpp"
#include "weft/store/sql/write/prepared.hpp"

namespace weft::store::sql {
namespace {

class KnownWebPart final : public weave::KnownWeb {
 public:
  explicit KnownWebPart(Connections& connections) : connections_(connections) {}

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

class SourcesPart final : public Sources {
 public:
  explicit SourcesPart(Connections& connections) : connections_(connections) {}

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

class AuditPart final : public Audit {
 public:
  explicit AuditPart(Connections& connections) : connections_(connections) {}

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
  return [&connections](const std::function<Status(Id, const thought::Thought&)>& visit) {
    return connections.ask(&Reader::each_searched, visit);
  };
}

class ForgettingPart final : public Forgetting, public Replacing {
 public:
  ForgettingPart(Connections& connections, std::function<Result<bool>()> scrub)
      : connections_(connections), scrub_(std::move(scrub)) {}

  Result<ForgetPlan> plan(const std::vector<Cid>& conversations, const Cid& owner) const override {
    return connections_.ask(&Reader::plan_forget, conversations, owner);
  }
  Result<ForgetResult> forget(const ForgetRequest& request) override {
    return connections_.write(
        [&](RowWriter& writer) { return writer.forget(request, read_thoughts(connections_)); });
  }
  Result<bool> scrub() override {
    return connections_.write([&](RowWriter&) { return scrub_(); });
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
  Status replace(const ReplaceRequest& request) override {
    return connections_.write(
        [&](RowWriter& writer) { return writer.replace(request, read_thoughts(connections_)); });
  }
  Result<std::vector<Cid>> tombstones() const override {
    return connections_.ask(&Reader::tombstones);
  }
  Result<std::vector<Cid>> tombstones_of(const Cid& cid) const override {
    return connections_.ask(&Reader::tombstones_of, cid);
  }

 private:
  Connections& connections_;
  const std::function<Result<bool>()> scrub_;
};

class WriterPart final : public Writer {
 public:
  explicit WriterPart(Connections& connections) : connections_(connections) {}

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

class FillingPart final : public Filling {
 public:
  explicit FillingPart(Connections& connections) : connections_(connections) {}

  Result<FillProgress> progress() const override {
    return connections_.ask(&Reader::fill_progress);
  }
  Result<bool> fill(const crypto::Keyring& keyring, std::chrono::milliseconds work) override {
    return connections_.write([&](RowWriter& writer) { return writer.fill(keyring, work); });
  }

 private:
  Connections& connections_;
};

class DerivedPart final : public Derived {
 public:
  explicit DerivedPart(Connections& connections) : connections_(connections) {}

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

}  // namespace

struct RowStore::Parts {
  Parts(Connections& connections, std::function<Result<bool>()> scrub)
      : known_web(connections),
        sources(connections),
        audit(connections),
        derived(connections),
        filling(connections),
        forgetting(connections, std::move(scrub)),
        writer(connections) {}

  const KnownWebPart known_web;
  const SourcesPart sources;
  const AuditPart audit;
  DerivedPart derived;
  FillingPart filling;
  ForgettingPart forgetting;
  WriterPart writer;
};

RowStore::RowStore(std::string name, Database writer, OpenReader open,
                   std::function<Result<bool>()> scrub)
    : connections_(std::move(name), std::move(writer), std::move(open)),
      parts_(std::make_unique<Parts>(connections_, std::move(scrub))) {}

RowStore::~RowStore() = default;

std::unique_ptr<Snapshot> RowStore::snapshot() const {
  return std::make_unique<RowSnapshot>(connections_);
}
const weave::KnownWeb& RowStore::known_web() const { return parts_->known_web; }
Writer& RowStore::writer() { return parts_->writer; }
const Sources& RowStore::sources() const { return parts_->sources; }
const Audit& RowStore::audit() const { return parts_->audit; }
Derived& RowStore::derived() { return parts_->derived; }
const Derived& RowStore::derived() const { return parts_->derived; }
Filling& RowStore::filling() { return parts_->filling; }
const Filling& RowStore::filling() const { return parts_->filling; }
Forgetting& RowStore::forgetting() { return parts_->forgetting; }
const Forgetting& RowStore::forgetting() const { return parts_->forgetting; }
Result<std::optional<Cid>> RowStore::owner() const { return connections_.ask(&Reader::owner); }

}  // namespace weft::store::sql
