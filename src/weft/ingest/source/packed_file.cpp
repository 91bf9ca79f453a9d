#include "weft/ingest/source/packed_file.hpp"

#include "weft/base/try.hpp"
#include "weft/ingest/source/libarchive.hpp"

namespace weft::ingest {
namespace {

constexpr std::size_t kBlockBytes = 64u << 10;

// libarchive's own words name no content.
Error error_of(archive* handle, std::string_view doing) {
  const char* text = libarchive().archive_error_string(handle);
  return {ErrorCode::invalid_input,
          std::string(doing) + ": " + (text == nullptr ? "it is damaged" : text)};
}

}  // namespace

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

bool is_packed(std::string_view head) {
  return head.starts_with("\x28\xB5\x2F\xFD") || head.starts_with("\x1F\x8B");
}

std::string unpacked_name(std::string_view name) {
  for (const std::string_view extension : {".zst", ".zstd", ".gz"}) {
    if (name.ends_with(extension)) name.remove_suffix(extension.size());
  }
  return std::string(name);
}

void PackedFile::Close::operator()(archive* handle) const {
  libarchive().archive_read_free(handle);
}

Result<PackedFile> PackedFile::open(const SourceFile& file) {
  WEFT_TRY(load_libarchive());
  PackedFile packed(file.state().size);
  packed.handle_.reset(libarchive().archive_read_new());
  if (!packed.handle_) return fail(ErrorCode::unavailable, "no memory to unpack with");
  const Result<std::string> head = file.read_at(0, 4);
  if (head && is_packed(*head)) {
    libarchive().archive_read_support_format_raw(packed.handle_.get());
    libarchive().archive_read_support_filter_zstd(packed.handle_.get());
    libarchive().archive_read_support_filter_gzip(packed.handle_.get());
  } else {
    libarchive().archive_read_support_format_zip(packed.handle_.get());
  }
  if (libarchive().archive_read_open_fd(packed.handle_.get(), file.descriptor(), kBlockBytes) !=
      ARCHIVE_OK) {
    return fail(error_of(packed.handle_.get(), "unpacking"));
  }
  return packed;
}

Result<std::optional<std::string>> PackedFile::next() {
  while (true) {
    archive_entry* entry = nullptr;
    const int code = libarchive().archive_read_next_header(handle_.get(), &entry);
    if (code == ARCHIVE_EOF) return std::nullopt;
    if (code == ARCHIVE_RETRY) continue;
    if (code < ARCHIVE_WARN) return fail(error_of(handle_.get(), "unpacking"));
    if (libarchive().archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* name = libarchive().archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = libarchive().archive_entry_pathname(entry);
    return std::string(name == nullptr ? "(without a name)" : name);
  }
}

Result<std::string_view> PackedFile::read(std::string& buffer, std::size_t limit) {
  buffer.resize(limit);
  std::size_t filled = 0;
  while (filled < limit) {
    const la_ssize_t got =
        libarchive().archive_read_data(handle_.get(), buffer.data() + filled, limit - filled);
    if (got == ARCHIVE_RETRY) continue;
    if (got < 0) return fail(error_of(handle_.get(), "unpacking"));
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
