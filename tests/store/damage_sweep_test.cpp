// Damage of every column of every table: a flipped bit, values of two rows exchanged, a row
// removed. Whatever changes an answer is found by verify; what is not signed comes back.
#include <algorithm>
#include <random>

#include "forget_for_test.hpp"
#include "weft/ingest/check_archive.hpp"
#include "weft/ingest/sources.hpp"
#include "weft/query/library.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

struct Value {
  int type = SQLITE_NULL;
  std::int64_t integer = 0;
  std::string bytes{};
  friend auto operator<=>(const Value&, const Value&) = default;
};
using Row = std::vector<Value>;

// The tables as any program sees them, without what weft knows of them.
class RawFile {
 public:
  explicit RawFile(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
    sqlite3_exec(db_, "PRAGMA synchronous = OFF", nullptr, nullptr, nullptr);
  }
  ~RawFile() { sqlite3_close(db_); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  std::vector<Row> select(const std::string& sql, std::vector<std::string>* columns = nullptr) {
    std::vector<Row> rows;
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    const int count = sqlite3_column_count(statement);
    for (int i = 0; columns != nullptr && i < count; ++i) {
      columns->emplace_back(sqlite3_column_name(statement, i));
    }
    while (sqlite3_step(statement) == SQLITE_ROW) {
      Row& row = rows.emplace_back();
      for (int i = 0; i < count; ++i) {
        Value& value = row.emplace_back(Value{sqlite3_column_type(statement, i)});
        if (value.type == SQLITE_INTEGER) value.integer = sqlite3_column_int64(statement, i);
        if (value.type != SQLITE_TEXT && value.type != SQLITE_BLOB) continue;
        const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, i));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
        if (bytes != nullptr) value.bytes.assign(bytes, size);
      }
    }
    sqlite3_finalize(statement);
    return rows;
  }
  std::vector<std::string> tables() {
    std::vector<std::string> names;
    for (const Row& row : select("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT "
                                 "LIKE 'CREATE VIRTUAL%' ORDER BY name")) {
      names.push_back(row[0].bytes);
    }
    return names;
  }
  // False if a rule of the table forbids it.
  bool replace(const std::string& table, const std::vector<std::string>& columns,
               const std::vector<Row>& gone, const std::vector<Row>& come) {
    sqlite3_exec(db_, "BEGIN", nullptr, nullptr, nullptr);
    bool done = true;
    for (const Row& row : gone) {
      std::string sql = "DELETE FROM \"" + table + "\" WHERE 1";
      for (const std::string& column : columns) sql += " AND \"" + column + "\" IS ?";
      done = done && run(sql, row);
    }
    for (const Row& row : come) {
      std::string sql = "INSERT INTO \"" + table + "\" VALUES (?";
      for (std::size_t i = 1; i < row.size(); ++i) sql += ", ?";
      done = done && run(sql + ")", row);
    }
    sqlite3_exec(db_, done ? "COMMIT" : "ROLLBACK", nullptr, nullptr, nullptr);
    return done;
  }

 private:
  bool run(const std::string& sql, const Row& row) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) return false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int at = static_cast<int>(i) + 1;
      const Value& value = row[i];
      const int size = static_cast<int>(value.bytes.size());
      switch (value.type) {
        case SQLITE_INTEGER: sqlite3_bind_int64(statement, at, value.integer); break;
        case SQLITE_TEXT:
          sqlite3_bind_text(statement, at, value.bytes.data(), size, nullptr);
          break;
        case SQLITE_BLOB:
          sqlite3_bind_blob(statement, at, value.bytes.data(), size, nullptr);
          break;
        default: sqlite3_bind_null(statement, at);
      }
    }
    const bool done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return done;
  }
  sqlite3* db_ = nullptr;
};

// One damage, for messages and for choosing.
struct Damage {
  enum class Kind { flip, exchange, remove };
  Kind kind = Kind::flip;
  std::string table, column;
};
std::string name_of(const Damage& damage) {
  constexpr const char* kKinds[] = {"a flipped bit in ", "an exchange in ", "a row removed from "};
  return kKinds[static_cast<int>(damage.kind)] + damage.table +
         (damage.column.empty() ? "" : "." + damage.column);
}

// The layout of an index may differ.
bool is_index(const std::string& table) {
  return table.starts_with("search_") || table.starts_with("index_") || table.starts_with("name_");
}

// Not signed, and in rows that are small: every single damage is undone, and the table is then
// row by row what it was.
bool comes_back(const Damage& damage) {
  if (damage.kind == Damage::Kind::remove) {
    return damage.table == "conversations" || damage.table == "runs" || damage.table == "effects" ||
           damage.table == "edge_ends" || damage.table == "tombstones";
  }
  return damage.table != "thoughts" && damage.table != "names" && damage.table != "edge_pages" &&
         damage.table != "archive" && damage.table != "table_sums" && damage.table != "sources" &&
         !is_index(damage.table);
}

// The damages are divided among this many tests, which run at the same time.
constexpr std::size_t kParts = 4;

class DamageSweep : public testing::TestWithParam<std::size_t> {
 protected:
  DamageSweep() {
    for (const char* name : {"main.jsonl", "agent-a7d3.jsonl", "branches.jsonl"}) {
      fs::copy_file(fs::path(WEFT_SOURCE_DIR) / "tests/fixtures/claude_code" / name,
                    web_.dir / name);
      web_.ingest(web_.dir / name);
    }
    write_text(web_.dir / "fork.txt", heading("fork") + Forks::common() + round_of("fork", 30));
    web_.ingest(web_.dir / "fork.txt");
    write_text(web_.dir / "gone.txt", heading("gone") + round_of("gone", 40));
    web_.ingest(web_.dir / "gone.txt");
    forget(web_, "gone");
    const auto store = web_.open();
    for (const store::ConversationRow& row : *store->conversations({})) {
      conversations_.push_back(row.cid);
      for (const auto& placed : *store->placed_blocks(row.cid, 0, 1'000)) {
        blocks_.push_back(placed.block);
      }
    }
  }

  // A copy that is damaged.
  std::string copy() const {
    const std::string path = web_.dir / "damaged.db";
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path + suffix);
    fs::copy_file(web_.store_path(), path);
    return path;
  }

  // Everything that is asked, in one text; a failure is an answer, too.
  std::string answers(const std::string& path) const {
    std::string all;
    const auto add = [&](const auto& answer) {
      if constexpr (requires { canonical_json(*answer); }) {
        all += answer ? canonical_json(*answer) : "error " + answer.error().message;
      } else {
        all += answer ? "done" : "error " + answer.error().message;
      }
      all += '\n';
    };
    const auto store = store::open_store_to_read(path);
    if (!store) return "error " + store.error().message;
    const query::Library library{**store, &web_.keyring};
    add(query::list(library, {}));
    add(query::stats(library, std::nullopt));
    for (const Cid& cid : conversations_) {
      const auto row = (*store)->conversation(cid);
      if (!row) {
        add(row);
        continue;
      }
      add(query::walk_answer(library, *row, {.all = true}));
      const auto sources = (*store)->sources().of(cid);
      all += sources ? std::to_string(sources->size()) : "error";
    }
    for (const Cid& cid : blocks_) {
      add(query::get(library, cid, query::Layers::open));
      add(query::connections(library, cid, std::nullopt, store::Direction::both));
      const auto effects = (*store)->effects(cid);
      all += effects ? std::to_string(effects->size()) : "error";
    }
    if (!blocks_.empty()) add(query::why_answer(library, blocks_.back(), {}));
    for (const char* words : {"thought", "answered", "files", "quokka", "tool:bash"}) {
      auto hits = query::search(library, {.query = words});
      if (hits) hits->erase("next_cursor");  // it is one of this index
      add(hits);
      add(query::search_turns(library, {.query = words}));
    }
    for (const char* name : {"talk.txt", "main.jsonl", "fork.txt", "gone.txt"}) {
      const auto archived =
          ingest::find_archived(**store, web_.keyring, (web_.dir / name).string());
      if (!archived) {
        add(archived);
        continue;
      }
      add(ingest::restore(**store, web_.keyring, *archived, ingest::Version::newest,
                          [&](std::string_view piece) -> Status {
                            all += piece;
                            return {};
                          }));
    }
    return all;
  }

  bool is_found(const std::string& path) const {
    const auto store = store::open_store_to_read(path);
    if (!store) return true;
    const auto archive = ingest::archive_checks(**store, web_.keyring);
    query::VerifyOptions options{.threads = 1};
    if (archive) options.further = *archive;
    const auto answer = query::verify(**store, &web_.keyring, options);
    return !archive || !answer || answer->at("verdict") == "bad";
  }

  // False where the table has no row for it.
  bool damage(const std::string& path, const Damage& damage) {
    RawFile file(path);
    std::vector<std::string> columns;
    const std::vector<Row> rows = file.select("SELECT * FROM \"" + damage.table + "\"", &columns);
    if (rows.empty()) return false;
    const Row& before = rows[random() % rows.size()];
    if (damage.kind == Damage::Kind::remove) {
      return file.replace(damage.table, columns, {before}, {});
    }
    const auto column =
        static_cast<std::size_t>(std::ranges::find(columns, damage.column) - columns.begin());
    Row after = before;
    if (damage.kind == Damage::Kind::flip) {
      Value& value = after[column];
      if (value.type == SQLITE_INTEGER) {
        value.integer ^= static_cast<std::int64_t>(std::uint64_t{1} << random() % 64);
      } else if (!value.bytes.empty()) {
        char& byte = value.bytes[random() % value.bytes.size()];
        byte = static_cast<char>(byte ^ 1 << random() % 8);
      } else {
        return false;
      }
      return file.replace(damage.table, columns, {before}, {after});
    }
    Row other = rows[random() % rows.size()];
    if (other[column] == before[column]) return false;
    const Row other_before = other;
    std::swap(after[column], other[column]);
    return file.replace(damage.table, columns, {before, other_before}, {after, other});
  }

  // All rows of all tables that are not an index whose layout may differ.
  static std::vector<std::vector<Row>> dump(const std::string& path) {
    RawFile file(path);
    std::vector<std::vector<Row>> all;
    for (const std::string& table : file.tables()) {
      if (is_index(table) || table == "table_sums") continue;
      all.push_back(file.select("SELECT * FROM \"" + table + "\""));
      std::ranges::sort(all.back());
    }
    return all;
  }

  std::vector<Damage> all_damages() {
    std::vector<Damage> all;
    RawFile file(web_.store_path());
    for (const std::string& table : file.tables()) {
      std::vector<std::string> columns;
      file.select("SELECT * FROM \"" + table + "\" LIMIT 1", &columns);
      all.push_back({Damage::Kind::remove, table, ""});
      for (const std::string& column : columns) {
        for (int times = 0; times < 5; ++times) all.push_back({Damage::Kind::flip, table, column});
        all.push_back({Damage::Kind::exchange, table, column});
      }
    }
    return all;
  }
  std::uint64_t random() { return random_(); }

  Web web_{heading("origin") + Forks::common() + round_of("origin-only", 20)};
  std::vector<Cid> conversations_, blocks_;
  const unsigned seed_ = test_seed();
  std::mt19937_64 random_{seed_};
};

TEST_P(DamageSweep, OfAnyColumnThatChangesAnAnswerIsFoundAndWhatIsNotSignedComesBack) {
  std::printf("WEFT_SEED=%u\n", seed_);
  {
    // The log is part of the file that is copied.
    RawFile file(web_.store_path());
    file.select("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  const std::string whole = copy();
  const std::string expected = answers(whole);
  ASSERT_EQ(expected.find("error opening"), std::string::npos);
  ASSERT_FALSE(is_found(whole));
  const auto rows = dump(whole);

  int tried = 0, changed = 0, found = 0, mended = 0;
  const std::vector<Damage> all = all_damages();
  for (std::size_t i = GetParam(); i < all.size(); i += kParts) {
    const Damage& one = all[i];
    if (!test_is_long() && i / kParts % 10 != seed_ % 10) continue;
    const std::string path = copy();
    if (!damage(path, one)) continue;
    ++tried;
    const bool is_changed = answers(path) != expected;
    const bool was_found = is_found(path);
    changed += is_changed ? 1 : 0;
    found += was_found ? 1 : 0;
    EXPECT_TRUE(was_found || !is_changed) << name_of(one) << ": answers change, verify is silent";
    if (!comes_back(one)) continue;
    {
      const auto store = store::open_store(path, store::Create::no);
      ASSERT_TRUE(store) << store.error().message;
      const auto rebuilt = (*store)->derived().rebuild({.keyring = &web_.keyring}, {});
      ASSERT_TRUE(rebuilt) << name_of(one) << ": " << rebuilt.error().message;
      for (const store::StoreFinding& lost : rebuilt->lost) {
        ADD_FAILURE() << name_of(one) << " is not undone: " << lost.table << ": " << lost.what;
      }
    }
    ++mended;
    EXPECT_EQ(dump(path) == rows, true) << name_of(one) << " is not undone";
    EXPECT_EQ(answers(path) == expected, true) << name_of(one) << " is not undone in answers";
  }
  std::printf("%d damages: %d change an answer, %d are found, %d are undone\n", tried, changed,
              found, mended);
  EXPECT_GT(tried, 0);
}

INSTANTIATE_TEST_SUITE_P(Store, DamageSweep, testing::Range(std::size_t{0}, kParts));

}  // namespace
}  // namespace weft
