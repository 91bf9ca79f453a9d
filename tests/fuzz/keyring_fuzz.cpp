// Any text: what is read as a keyring has one canonical text, which reads back to the
// same keyring; so have its exports.
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "weft/crypto/keyring.hpp"

namespace {

using weft::crypto::Keyring;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string check_text(const Keyring& keyring) {
  const std::string text = keyring.to_text(std::nullopt).value();
  const weft::Result<Keyring> back = Keyring::parse(text, {});
  require(back && back->to_text(std::nullopt).value() == text);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // A passphrase is given at the least cost alone: at the highest that a file may ask
  // for, each input would take seconds.
  const bool cheap = text.find("\"memory_kib\":8,\"passes\":1,") != std::string_view::npos;
  const auto ask = [&]() -> weft::Result<std::string> {
    if (!cheap) return weft::fail(weft::ErrorCode::denied, "too dear");
    return "correct horse battery staple";
  };
  const weft::Result<Keyring> keyring = Keyring::parse(text, ask);
  if (!keyring) {
    require(keyring.error().code != weft::ErrorCode::internal);
    return 0;
  }
  const std::string whole = check_text(*keyring);
  require(whole.size() <= Keyring::kMaxTextBytes);

  using weft::crypto::Reach;
  for (const Reach reach : {Reach::metadata, Reach::content}) {
    const weft::Result<std::string> exported = keyring->exported(reach);
    require(exported.has_value() ||
            (reach == Reach::content && exported.error().code == weft::ErrorCode::denied));
    if (!exported) continue;
    const weft::Result<Keyring> reader = Keyring::parse(*exported, {});
    require(reader && !reader->can_sign());
    require(check_text(*reader) == *exported);
  }
  return 0;
}
