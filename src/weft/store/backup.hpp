// Copies of a SQLite store, made while other processes read and write it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weft/base/result.hpp"

namespace weft::store {

// Copies the store at `from`, as it is at one moment, over the empty file `to`. Others go on
// reading and writing. The copy is one file without a log. `progress` gets the pages done and the
// pages in all. Errors are those of open_sqlite_store_to_read, and unavailable if the disk is full.
[[nodiscard]] Status copy_sqlite_store(
    const std::string& from, const std::string& to,
    const std::function<void(std::uint64_t done, std::uint64_t all)>& progress);

// Runs SQLite's integrity check on a store that nobody has open, and returns the store's version.
// Makes no files beside it. corrupt, with the first thing that is wrong; not_found if it is empty.
[[nodiscard]] Result<std::int64_t> check_sqlite_file(const std::string& path);

}  // namespace weft::store
