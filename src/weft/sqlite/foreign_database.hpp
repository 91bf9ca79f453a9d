// Opens a database that another program wrote, and that may be hostile: read-only, bound to a file
// that was checked before, and with limits on the memory and the time of its queries.
//
//   Result<ForeignDatabase> database = ForeignDatabase::open({path, device, inode, size});
//   Statement statement(database->handle(), sql);
//   Rows rows = database->query(statement, name);
//   while (database->next(rows)) use(rows.bytes(0));
//   if (Status status = database->status(rows); !status) …
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/sqlite/memory_limit.hpp"
#include "weft/sqlite/statement.hpp"

namespace weft::sqlite {

// A file that was opened and checked.
struct CheckedFile {
  std::string path;  // absolute, without symbolic links
  std::uint64_t device = 0, inode = 0;
  std::uint64_t size = 0;
};

// One connection. For one thread at a time.
class ForeignDatabase {
 public:
  // The longest value that a query may build. A view or a generated column can make a value of any
  // length from a few bytes.
  static constexpr int kMostValueBytes = 64 << 20;
  static constexpr std::chrono::milliseconds kLeastTime{10'000};
  // What SQLite may allocate. JSON functions take many times the size of the text they read.
  static constexpr std::int64_t kMostMemoryBytes = 192 << 20;

  // The file is opened with its write-ahead log. denied if SQLite would open another file than the
  // checked one, before anything of it is read: the path was replaced meanwhile, or leads through a
  // symbolic link. corrupt, unavailable.
  // `least_time` is the budget of an empty file.
  static Result<ForeignDatabase> open(const CheckedFile& file,
                                      std::chrono::milliseconds least_time = kLeastTime);

  sqlite3* handle() const { return handle_.get(); }

  // Statement::query() and Rows::next() within the limits. All queries of one connection together
  // have a time budget that grows with the size of the file.
  template <class... Args>
  Rows query(Statement& statement, const Args&... args) const {
    const Step step(*budget_);
    return statement.query(args...);
  }
  [[nodiscard]] bool next(Rows& rows) const;
  // invalid_input if a value is too long, or time or memory are used up.
  Status status(const Rows& rows) const;

 private:
  struct Budget {
    std::chrono::steady_clock::duration time_left{};
    std::optional<std::chrono::steady_clock::time_point> began{};  // of the call under way
    bool is_late = false;
    MemoryLimit::Budget memory{.left = kMostMemoryBytes};
  };
  // One call of SQLite.
  class Step {
   public:
    explicit Step(Budget& budget);
    ~Step();
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Budget& budget_;
    const MemoryLimit limit_;
  };
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  static int check_budget(void* budget);

  ForeignDatabase() : budget_(std::make_unique<Budget>()) {}

  std::unique_ptr<Budget> budget_;  // SQLite has its address
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace weft::sqlite
