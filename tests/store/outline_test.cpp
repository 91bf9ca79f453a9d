// Outlines of every format: one entry for each thought of `walk`, in the same order; and pieces
// that equal the whole.
#include <map>
#include <set>

#include "web_for_test.hpp"
#include "weft/query/ask/summary_line.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

// Every fixture, in one store.
class Fixtures {
 public:
  explicit Fixtures(crypto::SealMode seal)
      : keyring_(*crypto::Keyring::create("Ada", 1'000, seal)),
        store_(*store::open_store(dir_ / "weft.db", store::Create::yes)) {
    ingest::Options options{.paths = {fs::path(WEFT_SOURCE_DIR) / "tests" / "fixtures"}};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest::ingest(*store_, keyring_, options);
    EXPECT_TRUE(report) << report.error().message;
    rows_ = store_->conversations({}).value();
  }
  const std::vector<store::ConversationRow>& conversations() const { return rows_; }
  query::Library library() const { return {.web = *store_, .keyring = &keyring_}; }

 private:
  TempDir dir_;
  crypto::Keyring keyring_;
  std::unique_ptr<store::Store> store_;
  std::vector<store::ConversationRow> rows_;
};

// Made once: all tests only read them.
const Fixtures& fixtures_in(crypto::SealMode seal) {
  static const Fixtures clear(crypto::SealMode::thinking), sealed(crypto::SealMode::all);
  return seal == crypto::SealMode::all ? sealed : clear;
}

// The blocks of an outline, with indexes of names resolved.
std::vector<std::string> entries_of(const json::object& outline) {
  const auto& columns = outline.at("columns");
  std::vector<std::string> entries;
  const std::int64_t from = outline.at("from").to_number<std::int64_t>();
  for (std::size_t i = 0; i < columns.at("kind").as_array().size(); ++i) {
    const auto cell = [&](std::string_view column) { return columns.at(column).as_array().at(i); };
    json::object entry{
        {"kind", outline.at("kinds").as_array().at(cell("kind").to_number<std::size_t>())},
        {"ordinal", from + static_cast<std::int64_t>(i)}};
    if (!cell("tool").is_null()) {
      entry["tool"] = outline.at("tools").as_array().at(cell("tool").to_number<std::size_t>());
    }
    for (const std::string_view column :
         {"time", "duration_ms", "length", "flags", "turn", "causes"}) {
      entry[column] = cell(column);
    }
    entries.push_back(canonical_json(entry));
  }
  return entries;
}

// The thoughts of a walk in order, and the turn of each.
struct Walked {
  std::vector<json::object> thoughts;
  std::vector<std::uint64_t> turns;
};
Walked walked(const query::Library& library, const store::ConversationRow& row, bool all) {
  Walked found;
  const Status status = query::walk(library, row, {.all = all}, [&](const json::object& turn) {
    for (const json::value& thought : turn.at("thoughts").as_array()) {
      found.thoughts.push_back(thought.as_object());
      found.turns.push_back(turn.at("sequence").to_number<std::uint64_t>());
    }
  });
  EXPECT_TRUE(status) << status.error().message;
  return found;
}

void expect_same(const query::Library& library, const store::ConversationRow& row, bool all) {
  SCOPED_TRACE(row.format + " " + row.session_id + (all ? " all" : ""));
  const Walked walk = walked(library, row, all);
  const auto outline = query::outline(library, row, {.all = all});
  ASSERT_TRUE(outline) << outline.error().message;
  const auto& columns = outline->at("columns");
  ASSERT_EQ(columns.at("kind").as_array().size(), walk.thoughts.size());
  ASSERT_EQ(outline->at("count").to_number<std::size_t>(), walk.thoughts.size());
  const auto blocks =
      query::blocks(library, row, {.all = all, .limit = 1'000'000, .cut = 10'000'000});
  ASSERT_TRUE(blocks) << blocks.error().message;
  std::map<std::string, std::vector<std::string>> elsewhere;
  for (const json::value& cause : outline->at("elsewhere").as_array()) {
    elsewhere[canonical_json(cause.at("ordinal"))].emplace_back(cause.at("cid").as_string());
  }
  for (std::size_t i = 0; i < walk.thoughts.size(); ++i) {
    const json::object& thought = walk.thoughts[i];
    const json::object& block = blocks->at("blocks").as_array().at(i).as_object();
    EXPECT_EQ(block.at("cid"), thought.at("cid"));
    EXPECT_EQ(block.at("content"), thought.at("content"));
    const auto cell = [&](std::string_view column) { return columns.at(column).as_array().at(i); };
    EXPECT_EQ(
        view(outline->at("kinds").as_array().at(cell("kind").to_number<std::size_t>()).as_string()),
        query::kind_of(thought));
    EXPECT_EQ(cell("time"), thought.at("created_at"));
    EXPECT_EQ(cell("turn").to_number<std::uint64_t>(), walk.turns[i]);
    // The causes again, by distance or by name.
    std::set<std::string> causes, named;
    for (const json::value& cause : thought.at("because").as_array()) {
      causes.emplace(cause.at("thought_cid").as_string());
    }
    for (const json::value& distance : cell("causes").as_array()) {
      const std::size_t at = i - static_cast<std::size_t>(distance.to_number<std::int64_t>());
      ASSERT_LT(at, walk.thoughts.size());
      named.emplace(walk.thoughts[at].at("cid").as_string());
    }
    for (const std::string& cid : elsewhere[std::to_string(i)]) named.insert(cid);
    EXPECT_EQ(named, causes);
    EXPECT_EQ(named.size(), cell("causes").as_array().size() + elsewhere[std::to_string(i)].size());
  }
}

TEST(Outlines, HaveTheThoughtsOfWalkInTheSameOrderInEveryFormat) {
  for (const crypto::SealMode seal : {crypto::SealMode::thinking, crypto::SealMode::all}) {
    const Fixtures& fixtures = fixtures_in(seal);
    ASSERT_GT(fixtures.conversations().size(), 30u);
    for (const store::ConversationRow& row : fixtures.conversations()) {
      for (const bool all : {false, true}) expect_same(fixtures.library(), row, all);
    }
  }
}

TEST(Outlines, SayTheSameInBothSealModes) {
  const auto entries = [](const Fixtures& fixtures) {
    std::map<std::string, std::vector<std::string>> found;
    for (const store::ConversationRow& row : fixtures.conversations()) {
      found[row.format + " " + row.session_id + " " + row.source] =
          entries_of(query::outline(fixtures.library(), row, {.all = true}).value());
    }
    return found;
  };
  EXPECT_EQ(entries(fixtures_in(crypto::SealMode::thinking)),
            entries(fixtures_in(crypto::SealMode::all)));
}

TEST(Outlines, PiecesEqualTheWhole) {
  const Fixtures& fixtures = fixtures_in(crypto::SealMode::thinking);
  for (const store::ConversationRow& row : fixtures.conversations()) {
    const std::vector<std::string> whole =
        entries_of(query::outline(fixtures.library(), row, {}).value());
    for (const std::uint64_t size : {1, 3, 7}) {
      std::vector<std::string> pieces;
      while (pieces.size() < whole.size()) {
        const auto piece =
            query::outline(fixtures.library(), row, {.from = pieces.size(), .limit = size});
        const std::vector<std::string> entries = entries_of(piece.value());
        ASSERT_FALSE(entries.empty());
        pieces.insert(pieces.end(), entries.begin(), entries.end());
      }
      EXPECT_EQ(pieces, whole) << row.format << " " << row.session_id;
    }
  }
}

}  // namespace
}  // namespace weft
