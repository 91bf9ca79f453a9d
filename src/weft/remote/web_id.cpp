#include "weft/remote/web_id.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/posix.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::remote {
namespace {

constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kMaxIdFileBytes = 4096;

std::string new_id() {
  const crypto::Key random = crypto::Key::random();
  return to_hex(std::span(random.bytes()).first<kIdBytes>());
}

}  // namespace

Result<std::optional<std::string>> read_web_id(const std::filesystem::path& file) {
  const Result<std::string> text = read_regular_file(file, kMaxIdFileBytes, Readers::anyone);
  if (!text && text.error().code == ErrorCode::not_found) return std::nullopt;
  if (!text) return fail(Error(text.error()));
  const Result<ParsedJson> parsed = parse_json(*text);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  const auto id = object == nullptr ? std::nullopt : find_string(*object, "web_id");
  std::array<std::uint8_t, kIdBytes> bytes{};
  if (!id || !parse_hex(*id, bytes)) {
    return fail(ErrorCode::corrupt,
                file.string() +
                    " does not hold the id of a web; delete it, and the next weft push "
                    "makes another and asks again what may go there");
  }
  return std::string(*id);
}

Result<std::string> read_or_make_web_id(const std::filesystem::path& file, unsigned mode) {
  WEFT_TRY_VALUE(const auto found, read_web_id(file));
  if (found) return *found;
  const std::string text = canonical_json(json::object{{"web_id", new_id()}}) + "\n";
  FileAside aside(file);
  if (!aside.file()) return fail(errno_error(errno, "creating", file));
  int failure = write_all(aside.file().get(), text);
  if (failure == 0 && ::fchmod(aside.file().get(), mode) != 0) failure = errno;
  if (failure == 0 && ::fsync(aside.file().get()) != 0) failure = errno;
  if (failure != 0) return fail(errno_error(failure, "writing", file));
  if (!aside.publish_new() && errno != EEXIST) {
    // Where the file system has no links (some network folders).
    if (!aside.replace()) return fail(errno_error(errno, "writing", file));
  }
  sync_folder_of(file);
  WEFT_TRY_VALUE(const auto made, read_web_id(file));
  if (made) return *made;
  return fail(ErrorCode::unavailable, file.string() + " was removed while it was written");
}

}  // namespace weft::remote
