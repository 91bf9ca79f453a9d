// Any bytes as a piece of the archive and as the state of a source, as they are and sealed with the
// right key: they are opened or called corrupt, and what was sealed opens as it was.
#include "fuzz_files.hpp"
#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/store/open.hpp"
#include "weft/store/pages/box_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  static const crypto::Keyring keyring =
      crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking).value();
  static const std::unique_ptr<store::Store> store =
      store::open_store(fuzz::scratch() / "weft.db", store::Create::yes).value();
  const ingest::SourceSeal seal(keyring);
  const store::SourceKey key = seal.key("/a/file");
  const std::string_view bytes = fuzz::text_of(data, size);

  const store::Segment whole = seal.seal_segment(key, 1, 2, bytes);
  const Result<std::string> back = ingest::open_segment(*store, keyring, key, 1, whole);
  fuzz::require(back && *back == bytes);

  // docs/formats/store.md has what a piece is bound to.
  const std::string bound = canonical_json(json::array{"archive", to_hex(key), 1, 2});
  const std::string state = canonical_json(json::array{"source state", to_hex(key)});
  const crypto::LayerKey archive = keyring.archive_key().value();
  const auto sealed = [&](const std::string& about) {
    return store::box_bytes(crypto::Box::seal(archive, about, bytes));
  };
  for (const std::string& piece : {sealed(bound), std::string(bytes)}) {
    for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{size}}) {
      const Result<std::string> opened = ingest::open_segment(
          *store, keyring, key, 1, {.seq = 2, .size = length, .sealed = piece});
      fuzz::require(!opened || opened->size() == length);
    }
  }
  for (const std::string& piece : {sealed(state), std::string(bytes)}) {
    const Result<std::string> opened = seal.open_state(key, piece);
    fuzz::require(opened || opened.error().code != ErrorCode::internal);
  }
  return 0;
}
