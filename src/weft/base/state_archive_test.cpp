#include "weft/base/state_archive.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

namespace weft {
namespace {

enum class Colour { red, green };
constexpr Colour last_enumerator(Colour /*one*/) { return Colour::green; }

struct Point {
  std::int64_t x = 0;
  std::uint64_t hash = 0;
  Cid cid{};
  friend bool operator==(const Point&, const Point&) = default;
};
auto state_row(Point& point) {
  return state_cells(point.x, StateBits{point.hash}, StateHex{point.cid});
}

struct Part {
  std::string name;
  void archive(StateArchive& a) {
    a.field("name", name);
    a.check(name != "forbidden");
  }
  friend bool operator==(const Part&, const Part&) = default;
};

struct Outer {
  bool flag = false;
  std::int64_t number = 0;
  std::uint32_t count = 0;
  std::string text = "default";
  Cid cid{};
  Colour colour = Colour::red;
  json::object object{};
  std::optional<std::int64_t> time{}, null_time{};
  std::optional<Part> part{};
  std::vector<Point> points{};
  std::deque<Part> parts{};
  std::deque<std::uint64_t> hashes{};
  friend bool operator==(const Outer&, const Outer&) = default;
};
void archive(StateArchive& a, Outer& o) {
  a.field("flag", o.flag);
  a.field("number", o.number);
  a.field("count", o.count);
  a.lenient("text", o.text);
  a.field("cid", o.cid);
  a.sparse("colour", o.colour);
  a.field("object", o.object);
  a.optional("time", o.time);
  a.nullable("null_time", o.null_time);
  a.optional("part", o.part);
  a.field("points", o.points);
  a.field("parts", o.parts, 2);
  a.hashes("hashes", o.hashes, 2);
}

Cid some_cid() {
  Digest digest{};
  digest.fill(0xab);
  return Cid(digest);
}

Outer full() {
  return {.flag = true,
          .number = -7,
          .count = 4'000'000'000,
          .text = "t",
          .cid = some_cid(),
          .colour = Colour::green,
          .object = {{"free", 1.5}},
          .time = 5,
          .null_time = 6,
          .part = Part{"p"},
          .points = {{.x = 1, .hash = ~std::uint64_t{0}, .cid = some_cid()}},
          .parts = {{"a"}, {"b"}},
          .hashes = {1, ~std::uint64_t{0}}};
}

// The state as a new process finds it.
json::object reparsed(const json::object& state) {
  return parse_json(canonical_json(state)).value().value.get_object();
}

bool is_refused(const json::object& state) {
  Outer outer;
  return !restore_object(reparsed(state), outer);
}

json::object with(std::string_view key, json::value value) {
  json::object state = save_object(full());
  state[key] = std::move(value);
  return state;
}

json::array rows(const json::array& row) {
  json::array out;
  out.emplace_back(row);
  return out;
}

TEST(StateArchive, ReadsBackWhatItWrote) {
  for (const Outer& one : {full(), Outer()}) {
    Outer read = full();
    read.text = "other";
    ASSERT_TRUE(restore_object(reparsed(save_object(one)), read));
    if (one.colour == Colour::red) read.colour = Colour::red;  // sparse: its variable stays
    EXPECT_EQ(read, one);
  }
}

TEST(StateArchive, WritesPlainJson) {
  EXPECT_EQ(canonical_json(save_object(Outer())),
            R"({"cid":"cid:blake3:)" + std::string(64, '0') +
                R"(","count":0,"flag":false,"hashes":[],"null_time":null,"number":0,"object":{},)"
                R"("parts":[],"points":[],"text":"default"})");
  std::string hex;
  for (int i = 0; i < 32; ++i) hex += "ab";
  EXPECT_EQ(canonical_json(save_object(full())),
            R"({"cid":"cid:blake3:)" + hex +
                R"(","colour":1,"count":4000000000,"flag":true,"hashes":[1,-1],"null_time":6,)"
                R"("number":-7,"object":{"free":1.5},"part":{"name":"p"},)"
                R"("parts":[{"name":"a"},{"name":"b"}],"points":[[1,-1,")" +
                hex + R"("]],"text":"t","time":5})");
}

TEST(StateArchive, RefusesAStateThatLacksAField) {
  for (const char* key :
       {"flag", "number", "count", "cid", "object", "points", "parts", "hashes"}) {
    json::object state = save_object(full());
    state.erase(key);
    EXPECT_TRUE(is_refused(state)) << key;
    EXPECT_TRUE(is_refused(with(key, nullptr))) << key;
  }
}

TEST(StateArchive, RefusesWhatNoStateEverHeld) {
  EXPECT_TRUE(is_refused(with("count", -1)));
  EXPECT_TRUE(is_refused(with("count", std::int64_t{1} << 32)));
  EXPECT_TRUE(is_refused(with("number", 1.5)));
  EXPECT_TRUE(is_refused(with("number", ~std::uint64_t{0})));
  EXPECT_TRUE(is_refused(with("cid", "cid:blake3:12")));
  EXPECT_TRUE(is_refused(with("colour", 2)));
  EXPECT_TRUE(is_refused(with("colour", -1)));
  EXPECT_TRUE(is_refused(with("null_time", "6")));
  EXPECT_TRUE(is_refused(with("part", json::object{})));
  EXPECT_TRUE(is_refused(with("part", json::object{{"name", "forbidden"}})));
  const json::object part{{"name", "n"}};
  EXPECT_TRUE(is_refused(with("parts", json::array{part, part, part})));
  EXPECT_TRUE(is_refused(with("parts", json::array{part, 1})));
  EXPECT_TRUE(is_refused(with("hashes", json::array{1, 2, 3})));
  EXPECT_TRUE(is_refused(with("hashes", json::array{"1"})));
  const std::string hex(64, 'a');
  EXPECT_FALSE(is_refused(with("points", rows({1, 2, hex}))));
  EXPECT_TRUE(is_refused(with("points", rows({1, 2}))));
  EXPECT_TRUE(is_refused(with("points", rows({1, 2, hex, 3}))));
  EXPECT_TRUE(is_refused(with("points", rows({"1", 2, hex}))));
  EXPECT_TRUE(is_refused(with("points", rows({1, 2, "AB"}))));
  EXPECT_TRUE(is_refused(with("points", json::array{7})));
}

TEST(StateArchive, CountsAMemberOfAnotherKindAsAbsentWhereAbsenceIsFine) {
  Outer read;
  ASSERT_TRUE(restore_object(with("text", 1), read));
  EXPECT_EQ(read.text, "default");
  ASSERT_TRUE(restore_object(with("time", "5"), read));
  EXPECT_EQ(read.time, std::nullopt);
  ASSERT_TRUE(restore_object(with("part", "p"), read));
  EXPECT_EQ(read.part, std::nullopt);
  read.colour = Colour::red;
  ASSERT_TRUE(restore_object(with("colour", "green"), read));
  EXPECT_EQ(read.colour, Colour::red);
  json::object state = save_object(full());
  state.erase("null_time");
  ASSERT_TRUE(restore_object(state, read));
  EXPECT_EQ(read.null_time, std::nullopt);
}

TEST(StateArchive, WritesCellsAsARowWithoutATypeOfTheirOwn) {
  std::int64_t number = 7;
  std::string text = "t";
  json::value any = json::array{1.5, nullptr};
  const auto archive = [&](StateArchive& a) {
    a.field("row", state_cells(number, text));
    a.field("any", any);
  };
  StateArchive writer;
  archive(writer);
  EXPECT_EQ(writer.find("row"), nullptr) << "it writes";
  const json::object state = writer.take_written();
  EXPECT_EQ(canonical_json(state), R"({"any":[1.5,null],"row":[7,"t"]})");
  number = 0, text = "", any = nullptr;
  StateArchive reader(state);
  archive(reader);
  EXPECT_TRUE(reader.is_ok());
  EXPECT_EQ(number, 7);
  EXPECT_EQ(text, "t");
  EXPECT_EQ(any, json::value(json::array{1.5, nullptr}));
}

TEST(StateArchive, GivesElementsTheirContextBeforeTheyAreRead) {
  struct WithContext {
    int context = 0;
    std::string name{};
    void archive(StateArchive& a) { a.field("name", name); }
  };
  const json::object state{{"list", json::array{json::object{{"name", "n"}}}}};
  std::vector<WithContext> list;
  StateArchive a(state);
  a.field("list", list, 1, [] { return WithContext{.context = 7}; });
  ASSERT_TRUE(a.is_ok());
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].context, 7);
  EXPECT_EQ(list[0].name, "n");
}

}  // namespace
}  // namespace weft
