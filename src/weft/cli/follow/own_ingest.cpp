#include "weft/cli/follow/own_ingest.hpp"

#include "weft/cli/ingest/source_options.hpp"

namespace weft::cli {

Outcome<OwnIngest> OwnIngest::begin(const Context& context) {
  const store::StoreUrl& url = context.home().store;
  Outcome<std::optional<crypto::Keyring>> keyring = context.find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  const bool writes = url.exists() && url.is_writable() && *keyring && (*keyring)->can_sign();
  Outcome<Opened> opened = writes ? context.open_to_write({}) : context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  OwnIngest own;
  own.opened_ = std::make_unique<Opened>(*std::move(opened));
  if (!writes) {
    context.note(
        "nothing is ingested here, because the store cannot be written or the keyring cannot sign; "
        "only what another weft process adds is printed");
    return own;
  }
  Outcome<ingest::Options> sources = options_to_follow(context, {});
  if (!sources) return refuse(std::move(sources));
  if (sources->folders.empty()) return own;
  const Context* said = &context;
  own.ingest_ = std::make_unique<ingest::BackgroundIngest>(
      *own.opened_->store, *own.opened_->keyring, *std::move(sources), lock_for(context, {}),
      ingest::IngestCallbacks{.on_failure = [said](const Error& error) {
        said->note("ingest failed: " + error.message + "; it will be tried again");
      }});
  own.ingest_->begin();
  return own;
}

}  // namespace weft::cli
