// Copies of a store, made while other processes read and write it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/store/open.hpp"

namespace weft::store {

// invalid_input, with what to do instead, for a store on a server: it is copied there.
[[nodiscard]] Status check_is_file(const StoreUrl& store);

// Copies the store at `from`, as it is at one moment, over the empty file `to`. Others go on
// reading and writing. The copy is one file without a log. `progress` gets the pages done and the
// pages in all. Errors are those of check_is_file() and open_store_to_read(), and
// unavailable if the disk is full.
[[nodiscard]] Status copy_store(
    const StoreUrl& from, const std::string& to,
    const std::function<void(std::uint64_t done, std::uint64_t all)>& progress);

// Checks the file of a store that nobody has open, and returns the store's version.
// Makes no files beside it. corrupt, with the first thing that is wrong; not_found if it is empty.
[[nodiscard]] Result<std::int64_t> check_store_file(const std::string& path);

// How far a store has come: enough to tell whether two copies are of one moment.
struct StoreState {
  std::vector<Cid> log;  // checkpoints, in the order committed
  std::uint64_t conversations = 0;
};

// Reads the file of a store that nobody has open. Leaves no files beside it. Errors are those of
// open_store_to_read().
[[nodiscard]] Result<StoreState> read_store_file(const std::string& path);

}  // namespace weft::store
