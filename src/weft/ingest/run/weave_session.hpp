// A reader and the weaver that it emits to, saved and resumed together; and the signed commit that
// ends every weave. Ingest, the recorder and the proxy all weave through here.
//
//   WeaveSession session(adapter, info, identities, known_web);
//   WEFT_TRY_VALUE(bool resumed, session.resume(state));  // false: read from the beginning
//   session.reader().read(record, session.weaver());
//   WEFT_TRY_VALUE(batch.units, session.weaver().take(now));
//   commit_now(store.writer(), std::move(batch), indexer);         // with session.save() beside it
#pragma once

#include <cstdint>
#include <memory>

#include "weft/formats/adapter.hpp"
#include "weft/store/writer.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::ingest {

// The version of saved states that this weft writes (docs/formats/state.md). It reads this one and
// all before it.
inline constexpr std::int64_t kStateVersion = 1;
// The member "version" of a saved state; 0 if it is missing.
std::int64_t version_of(const json::object& state);

class WeaveSession {
 public:
  // All but `info` outlive it.
  WeaveSession(const formats::Adapter& adapter, formats::SourceInfo info,
               thought::Identities& identities, const weave::KnownWeb& known_web);

  const formats::Adapter& adapter() const { return adapter_; }
  // References stay valid until resume().
  formats::Reader& reader() { return *reader_; }
  weave::Weaver& weaver() { return *weaver_; }
  const weave::Weaver& weaver() const { return *weaver_; }

  // {"version", "reader", "weaver"}: the state to resume from once all that was woven is committed.
  // It may quote transcript text.
  json::object save() const;
  // Continues where save() was called; other members of `state` are ignored. False if `state` is
  // null, is not what save() returned, has a newer version, or no longer fits the web: the session
  // is then as new. Fails if the web cannot be read.
  [[nodiscard]] Result<bool> resume(const json::object* state);

 private:
  void open();
  Result<bool> restore(const json::object& state);

  const formats::Adapter& adapter_;
  formats::SourceInfo info_;
  thought::Identities& identities_;
  const weave::KnownWeb& known_web_;
  std::unique_ptr<weave::Weaver> weaver_;
  std::unique_ptr<formats::Reader> reader_;
};

// Signs every unit of `batch` and does ahead what the commit would do without the store. Returns
// the plaintexts of its thoughts. Any thread may call it.
store::Plaintexts sign_and_prepare(const store::Writer& writer, store::Batch& batch,
                                   const store::Indexer& indexer);

// Signs, prepares and commits `batch`; it is flushed to disk on return. Fails as Writer::commit
// does.
Result<store::Committed> commit_now(store::Writer& writer, store::Batch batch,
                                    const store::Indexer& indexer);

}  // namespace weft::ingest
