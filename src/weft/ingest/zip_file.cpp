#include "weft/ingest/zip_file.hpp"

#include <archive.h>
#include <archive_entry.h>

namespace weft::ingest {
namespace {

constexpr std::size_t kBlockBytes = 64u << 10;

// libarchive's own words name no content.
Error error_of(archive* handle, std::string_view doing) {
  const char* text = ::archive_error_string(handle);
  return {ErrorCode::invalid_input,
          std::string(doing) + ": " + (text == nullptr ? "it is damaged" : text)};
}

}  // namespace

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

void ZipFile::Close::operator()(archive* handle) const { ::archive_read_free(handle); }

Result<ZipFile> ZipFile::open(const SourceFile& file) {
  ZipFile zip(file.state().size);
  zip.handle_.reset(::archive_read_new());
  if (!zip.handle_) return fail(ErrorCode::unavailable, "no memory to unzip with");
  ::archive_read_support_format_zip(zip.handle_.get());
  if (::archive_read_open_fd(zip.handle_.get(), file.descriptor(), kBlockBytes) != ARCHIVE_OK) {
    return fail(error_of(zip.handle_.get(), "unzipping"));
  }
  return zip;
}

Result<std::optional<std::string>> ZipFile::next() {
  while (true) {
    archive_entry* entry = nullptr;
    const int code = ::archive_read_next_header(handle_.get(), &entry);
    if (code == ARCHIVE_EOF) return std::nullopt;
    if (code == ARCHIVE_RETRY) continue;
    if (code < ARCHIVE_WARN) return fail(error_of(handle_.get(), "unzipping"));
    if (::archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* name = ::archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = ::archive_entry_pathname(entry);
    return std::string(name == nullptr ? "(without a name)" : name);
  }
}

Result<std::string_view> ZipFile::read(std::string& buffer, std::size_t limit) {
  buffer.resize(limit);
  std::size_t filled = 0;
  while (filled < limit) {
    const la_ssize_t got =
        ::archive_read_data(handle_.get(), buffer.data() + filled, limit - filled);
    if (got == ARCHIVE_RETRY) continue;
    if (got < 0) return fail(error_of(handle_.get(), "unzipping"));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    unpacked_ += static_cast<std::uint64_t>(got);
    if (unpacked_ > kAlwaysAllowed && unpacked_ / kMaxRatio > size_) {
      return fail(ErrorCode::invalid_input,
                  "unpacks to more than " + std::to_string(kMaxRatio) + " times its size");
    }
  }
  return std::string_view(buffer).substr(0, filled);
}

}  // namespace weft::ingest
