#include "weft/cli/upkeep/tar_file.hpp"

#include <sys/stat.h>

#include <array>
#include <cerrno>

#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/ingest/source/libarchive.hpp"

namespace weft::cli {
namespace {

using ingest::libarchive;

constexpr std::size_t kBlockBytes = 64u << 10;

std::unexpected<Error> failed(archive* handle, std::string_view doing, ErrorCode code) {
  const char* text = libarchive().archive_error_string(handle);
  return fail(code, std::string(doing) + ": " + (text == nullptr ? "it is damaged" : text));
}

std::unexpected<Error> write_failed(archive* handle) {
  return failed(handle, "writing the archive", ErrorCode::unavailable);
}

std::unexpected<Error> read_failed(archive* handle) {
  return failed(handle, "reading the archive", ErrorCode::invalid_input);
}

}  // namespace

void TarWriter::Close::operator()(archive* handle) const {
  libarchive().archive_write_free(handle);
}

Result<TarWriter> TarWriter::open(int fd) {
  WEFT_TRY(ingest::load_libarchive());
  TarWriter writer;
  writer.handle_.reset(libarchive().archive_write_new());
  archive* handle = writer.handle_.get();
  if (handle == nullptr) return fail(ErrorCode::unavailable, "no memory to write an archive with");
  if (libarchive().archive_write_set_format_pax_restricted(handle) != ARCHIVE_OK ||
      libarchive().archive_write_add_filter_none(handle) != ARCHIVE_OK ||
      libarchive().archive_write_open_fd(handle, fd) != ARCHIVE_OK) {
    return write_failed(handle);
  }
  return writer;
}

Status TarWriter::begin(const std::string& name, std::uint64_t bytes, std::int64_t modified_at_s) {
  struct FreeEntry {
    void operator()(archive_entry* entry) const { libarchive().archive_entry_free(entry); }
  };
  const std::unique_ptr<archive_entry, FreeEntry> entry(libarchive().archive_entry_new());
  if (!entry) return fail(ErrorCode::unavailable, "no memory to write an archive with");
  libarchive().archive_entry_set_pathname(entry.get(), name.c_str());
  libarchive().archive_entry_set_filetype(entry.get(), AE_IFREG);
  libarchive().archive_entry_set_perm(entry.get(), 0600);
  libarchive().archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes));
  libarchive().archive_entry_set_mtime(entry.get(), modified_at_s, 0);
  if (libarchive().archive_write_header(handle_.get(), entry.get()) != ARCHIVE_OK) {
    return write_failed(handle_.get());
  }
  return {};
}

Status TarWriter::add(std::string_view piece) {
  while (!piece.empty()) {
    const la_ssize_t written =
        libarchive().archive_write_data(handle_.get(), piece.data(), piece.size());
    if (written <= 0) return write_failed(handle_.get());
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status TarWriter::finish() {
  if (libarchive().archive_write_close(handle_.get()) != ARCHIVE_OK)
    return write_failed(handle_.get());
  return {};
}

void TarReader::Close::operator()(archive* handle) const { libarchive().archive_read_free(handle); }

Result<TarReader> TarReader::open(int fd) {
  WEFT_TRY(ingest::load_libarchive());
  TarReader reader;
  reader.handle_.reset(libarchive().archive_read_new());
  archive* handle = reader.handle_.get();
  if (handle == nullptr) return fail(ErrorCode::unavailable, "no memory to read an archive with");
  if (libarchive().archive_read_support_format_tar(handle) != ARCHIVE_OK ||
      libarchive().archive_read_open_fd(handle, fd, kBlockBytes) != ARCHIVE_OK) {
    return read_failed(handle);
  }
  return reader;
}

Result<std::optional<TarReader::Member>> TarReader::next() {
  archive_entry* entry = nullptr;
  const int code = libarchive().archive_read_next_header(handle_.get(), &entry);
  if (code == ARCHIVE_EOF) return std::nullopt;
  if (code != ARCHIVE_OK) return read_failed(handle_.get());
  const char* name = libarchive().archive_entry_pathname(entry);
  return Member{.name = name == nullptr ? "" : name,
                .bytes = static_cast<std::uint64_t>(libarchive().archive_entry_size(entry)),
                .is_regular = libarchive().archive_entry_filetype(entry) == AE_IFREG &&
                              libarchive().archive_entry_hardlink(entry) == nullptr};
}

Status TarReader::read(const std::function<Status(std::string_view piece)>& take) {
  std::array<char, kBlockBytes> buffer{};
  for (;;) {
    const la_ssize_t got =
        libarchive().archive_read_data(handle_.get(), buffer.data(), buffer.size());
    if (got == 0) return {};
    if (got < 0) return read_failed(handle_.get());
    WEFT_TRY(take({buffer.data(), static_cast<std::size_t>(got)}));
  }
}

}  // namespace weft::cli
