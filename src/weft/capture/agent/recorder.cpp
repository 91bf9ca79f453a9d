#include "weft/capture/agent/recorder.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "weft/base/state_archive.hpp"
#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/capture/agent/ledger.hpp"
#include "weft/formats/adapters/anthropic_transcript/live_transcript.hpp"
#include "weft/ingest/run/weave_session.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::capture {
namespace {

constexpr int kMaxTries = 100;  // while another process records the same session
constexpr int kMaxWaitMs = 50;
constexpr std::size_t kMaxIdBytes = 200;

Status check_id(const std::string& id) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
  };
  std::string storage;
  std::size_t repairs = 0;
  repair_utf8(id, storage, repairs);
  if (id.empty() || id.size() > kMaxIdBytes || repairs != 0 ||
      std::ranges::any_of(id, is_control)) {
    return fail(ErrorCode::invalid_input,
                "not a session id: want 1 to 200 bytes of text without control characters");
  }
  return {};
}

std::unexpected<Error> forgotten() {
  return fail(ErrorCode::invalid_input,
              "a conversation with this session id was forgotten and is not recorded again; use "
              "another id");
}

std::unexpected<Error> not_recording() {
  return fail(ErrorCode::not_found, "this session is not recording");
}

std::unexpected<Error> ingested_already() {
  return fail(ErrorCode::invalid_input,
              "a conversation with this session id was ingested from a file; use another id");
}

std::unexpected<Error> changed_since() {
  return fail(ErrorCode::corrupt,
              "cannot resume this session: the store has changed since it was last recorded; start "
              "a new session");
}

// Repeats an attempt that conflicts with another writer, on the new state. Writers that conflict
// wait for different times, so that each has its turn.
template <class Attempt>
auto try_again(const Attempt& attempt) {
  thread_local std::minstd_rand random(std::random_device{}());
  auto result = attempt();
  for (int tries = 1; tries < kMaxTries && !result; ++tries) {
    if (result.error().code != ErrorCode::conflict) break;
    const auto most = static_cast<std::uint_fast32_t>(std::min(tries, kMaxWaitMs));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % (most + 1)));
    result = attempt();
  }
  return result;
}

}  // namespace

struct Recorder::Parts {
  Parts(store::Store& in, const crypto::Keyring& keys, const ingest::Options& with)
      : store(in),
        keyring(keys),
        clock(with.clock),
        model(with.model),
        indexer{.keyring = &keys, .index_sealed = with.index_sealed},
        identities(keys, with.human),
        ledger(in, keys) {}

  Result<bool> is_forgotten(const std::string& id) const {
    const transcript::Heading heading = formats::LiveTranscript::heading(id);
    return store.known_web().is_forgotten(
        weave::heading_key(keyring, heading.format, heading.session_id, heading.source));
  }

  // Whether the owner has a conversation with that id that no recorder began. One that another
  // identity wove does not count: the owner's begins beside it.
  Result<bool> has_ingested(const std::string& id) const {
    WEFT_TRY_VALUE(const auto known,
                   store.known_web().find_conversation(formats::LiveTranscript::heading(id),
                                                       identities.owner().cid));
    return known.has_value();
  }

  // Refuses with `why`, unless another process recorded a block since `session` was read: then it
  // is a conflict.
  std::unexpected<Error> refuse(const Session& session, std::unexpected<Error> why) const {
    const Result<std::optional<store::Source>> now = store.sources().find(session.source.key);
    const std::uint64_t revision = now && *now ? (*now)->revision : 0;
    if (revision == session.source.revision) return why;
    return fail(ErrorCode::conflict, "other processes keep recording the same session; try again");
  }

  Status commit(store::Batch batch) const {
    WEFT_TRY_VALUE(auto committed, ingest::commit_now(store.writer(), std::move(batch), indexer));
    return {};
  }

  // Starts or stops the recording.
  Status set_recording(Session session, bool is_recording) const {
    session.is_recording = is_recording;
    const Millis now = clock();
    WEFT_TRY_VALUE(auto list, ledger.list(session, now));
    store::Batch batch;
    batch.sources = {ledger.update(session, now), std::move(list)};
    return commit(std::move(batch));
  }

  Status start(const std::string& id) const {
    WEFT_TRY_VALUE(const bool was_forgotten, is_forgotten(id));
    if (was_forgotten) return forgotten();
    WEFT_TRY_VALUE(auto found, ledger.find(id));
    if (found && found->is_recording) return {};
    const Session session = found ? *std::move(found) : ledger.begin(id);
    if (!session.conversation) {
      WEFT_TRY_VALUE(const bool is_ingested, has_ingested(id));
      if (is_ingested) return refuse(session, ingested_already());
    }
    return set_recording(session, true);
  }

  Result<Cid> stop(const std::string& id) const {
    WEFT_TRY_VALUE(auto found, ledger.find(id));
    if (!found || !found->is_recording) return not_recording();
    const std::optional<Cid> conversation = found->conversation;
    WEFT_TRY(set_recording(*std::move(found), false));
    if (conversation) return *conversation;
    return fail(
        ErrorCode::invalid_input,
        "nothing was recorded in this session: it is stopped, and there is no conversation");
  }

  Result<Cid> record(const std::string& id, const json::object& block,
                     std::optional<transcript::Role> role, Millis arrived) {
    WEFT_TRY_VALUE(auto found, ledger.find(id));
    if (!found) {
      WEFT_TRY_VALUE(const bool was_forgotten, is_forgotten(id));
      if (was_forgotten) return forgotten();
    }
    if (!found || !found->is_recording) return not_recording();
    Session& session = *found;

    formats::LiveTranscript live(id, model);
    weave::Weaver weaver(identities, store.known_web());
    if (!session.conversation) {
      WEFT_TRY_VALUE(const bool is_ingested, has_ingested(id));
      if (is_ingested) return refuse(session, ingested_already());
    } else {
      bool is_restored = restore_object(session.transcript, live);
      if (is_restored) {
        WEFT_TRY_VALUE(is_restored, weaver.restore(session.weaver));
      }
      if (!is_restored) return refuse(session, changed_since());
    }
    WEFT_TRY(live.emit(block, role, arrived, weaver));
    if (weaver.saw_forgotten()) return forgotten();
    store::Batch batch;
    WEFT_TRY_VALUE(batch.units, weaver.take(clock()));
    const std::optional<Cid> thought = weaver.last_block();
    if (!thought) return fail(ErrorCode::internal, "a block was not woven");

    session.transcript = save_object(live);
    session.weaver = weaver.save();
    session.conversation = weaver.conversations().front();
    batch.sources = {ledger.update(session, clock())};
    WEFT_TRY(commit(std::move(batch)));
    return *thought;
  }

  store::Store& store;
  const crypto::Keyring& keyring;
  const std::function<Millis()> clock;
  const std::optional<std::string> model;
  const store::Indexer indexer;
  std::mutex mutex;
  thought::Identities identities;  // guarded by mutex
  const Ledger ledger;
};

Recorder::Recorder(store::Store& store, const crypto::Keyring& keyring,
                   const ingest::Options& options)
    : parts_(std::make_unique<Parts>(store, keyring, options)) {}

Recorder::~Recorder() = default;

Status Recorder::start(const std::string& session_id) {
  WEFT_TRY(check_id(session_id));
  const std::lock_guard lock(parts_->mutex);
  return try_again([&] { return parts_->start(session_id); });
}

Result<Cid> Recorder::record(const std::string& session_id, const json::object& block,
                             std::optional<transcript::Role> role) {
  const Millis arrived = parts_->clock();
  const std::lock_guard lock(parts_->mutex);
  return try_again([&] { return parts_->record(session_id, block, role, arrived); });
}

Result<Cid> Recorder::stop(const std::string& session_id) {
  const std::lock_guard lock(parts_->mutex);
  return try_again([&] { return parts_->stop(session_id); });
}

Result<std::vector<std::string>> Recorder::recording() const { return parts_->ledger.recording(); }

}  // namespace weft::capture
