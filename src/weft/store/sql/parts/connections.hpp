// Connections to one store: one that writes, and a pool that reads.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "weft/base/result.hpp"
#include "weft/store/sql/read/reader_pool.hpp"
#include "weft/store/sql/write/writer.hpp"

namespace weft::store::sql {

// The parts of a store share them. May be used from any thread.
class Connections {
 public:
  // `name` is what messages call the store. `open` makes another connection for reading.
  Connections(std::string name, Database writer, std::function<Result<Database>()> open)
      : name_(std::move(name)), writer_(std::move(writer)), readers_(std::move(open)) {}

  Readers& readers() { return readers_; }
  SearchRoom& search_room() { return search_room_; }
  // Names that this process has not stored; see NameFilter.
  const NameFilter& filter() const { return writer_.filter(); }

  // Asks one question, on a reader and in a transaction of its own: everything it reads belongs to
  // one state, and the database begins one transaction instead of one for each statement.
  template <class Answer, class... Params, class... Args>
  Answer ask(Answer (Reader::*question)(Params...), const Args&... args) {
    Result<Readers::Lease> reader = readers_.take();
    if (!reader) return fail(std::move(reader).error());
    Result<Transaction> state = (*reader)->look();
    if (!state) return fail(std::move(state).error());
    return (reader->operator->()->*question)(args...);
  }

  // Calls `write` with the writer, one call at a time. A failure of disk, lock or permission names
  // the store.
  template <class Write>
  auto write(const Write& write) {
    const std::lock_guard lock(writing_);
    auto result = write(writer_);
    if (result) return result;
    const ErrorCode code = result.error().code;
    if (code != ErrorCode::unavailable && code != ErrorCode::denied) return result;
    return decltype(result)(fail(std::move(result).error().within("writing to " + name_)));
  }

 private:
  const std::string name_;
  std::mutex writing_;
  RowWriter writer_;  // guarded by writing_, except its filter
  Readers readers_;
  SearchRoom search_room_;
};

}  // namespace weft::store::sql
