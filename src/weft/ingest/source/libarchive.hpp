// The functions of libarchive that weft uses. It is loaded when the first archive comes, for it
// brings many other libraries (base/load/late_library.hpp).
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include "weft/base/result.hpp"

namespace weft::ingest {

// clang-format off
#define WEFT_LIBARCHIVE(X) \
  X(archive_entry_filetype) \
  X(archive_entry_free) \
  X(archive_entry_hardlink) \
  X(archive_entry_new) \
  X(archive_entry_pathname) \
  X(archive_entry_pathname_utf8) \
  X(archive_entry_set_filetype) \
  X(archive_entry_set_mtime) \
  X(archive_entry_set_pathname) \
  X(archive_entry_set_perm) \
  X(archive_entry_set_size) \
  X(archive_entry_size) \
  X(archive_error_string) \
  X(archive_read_data) \
  X(archive_read_free) \
  X(archive_read_new) \
  X(archive_read_next_header) \
  X(archive_read_open_fd) \
  X(archive_read_support_filter_gzip) \
  X(archive_read_support_filter_zstd) \
  X(archive_read_support_format_raw) \
  X(archive_read_support_format_tar) \
  X(archive_read_support_format_zip) \
  X(archive_write_add_filter_none) \
  X(archive_write_close) \
  X(archive_write_data) \
  X(archive_write_free) \
  X(archive_write_header) \
  X(archive_write_new) \
  X(archive_write_open_fd) \
  X(archive_write_set_format_pax_restricted)
// clang-format on

struct Libarchive {
#define WEFT_MEMBER(name) decltype(&::name) name = nullptr;
  WEFT_LIBARCHIVE(WEFT_MEMBER)
#undef WEFT_MEMBER
};

// unavailable if the library is missing. Any thread may call it.
[[nodiscard]] Status load_libarchive();
// Precondition: load_libarchive() succeeded.
const Libarchive& libarchive();

}  // namespace weft::ingest
