#include "weft/ingest/run/weave_session.hpp"

#include <utility>

#include "weft/base/try.hpp"

namespace weft::ingest {

WeaveSession::WeaveSession(const formats::Adapter& adapter, formats::SourceInfo info,
                           thought::Identities& identities, const weave::KnownWeb& known_web)
    : adapter_(adapter), info_(std::move(info)), identities_(identities), known_web_(known_web) {
  open();
}

void WeaveSession::open() {
  weaver_ = std::make_unique<weave::Weaver>(identities_, known_web_);
  reader_ = adapter_.open(info_);
}

std::int64_t version_of(const json::object& state) {
  return find_int(state, "version").value_or(0);
}

json::object WeaveSession::save() const {
  return {{"version", kStateVersion}, {"reader", reader_->save()}, {"weaver", weaver_->save()}};
}

Result<bool> WeaveSession::resume(const json::object* state) {
  if (state != nullptr) {
    WEFT_TRY_VALUE(const bool is_restored, restore(*state));
    if (is_restored) return true;
  }
  open();
  return false;
}

Result<bool> WeaveSession::restore(const json::object& state) {
  if (version_of(state) > kStateVersion) return false;
  const json::value* saved = find_member(state, "reader");
  const json::object* weaver = find_object(state, "weaver");
  if (saved == nullptr || weaver == nullptr) return false;
  const std::optional<json::object> reader = formats::parse_reader_state(*saved);
  if (!reader || !reader_->restore(*reader)) return false;
  return weaver_->restore(*weaver);
}

store::Plaintexts sign_and_prepare(const store::Writer& writer, store::Batch& batch,
                                   const store::Indexer& indexer) {
  for (weave::CommitUnit& unit : batch.units) sign(unit);
  return writer.prepare(batch, indexer);
}

Result<store::Committed> commit_now(store::Writer& writer, store::Batch batch,
                                    const store::Indexer& indexer) {
  sign_and_prepare(writer, batch, indexer);
  batch.sync = store::Sync::now;
  return writer.commit(batch);
}

}  // namespace weft::ingest
