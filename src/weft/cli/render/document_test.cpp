#include "weft/cli/render/document.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace weft::cli {
namespace {

std::string written(const std::function<void(std::FILE*)>& write) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* file = ::open_memstream(&text, &size);
  write(file);
  std::fclose(file);
  std::string out(text, size);
  std::free(text);
  return out;
}

json::value parsed(std::string_view text) { return parse_json(text).value().value; }

TEST(Document, KeepsTheOrderOfMembersInBothLayouts) {
  const json::value value{{"b", 1}, {"a", {1, 2.5, "x\n"}}, {"c", json::object()}};
  EXPECT_EQ(to_text(value, Layout::compact), R"({"b":1,"a":[1,2.5,"x\n"],"c":{}})");
  EXPECT_EQ(to_text(json::array(), Layout::compact), "[]");
  EXPECT_EQ(to_text(json::array({json::array(), json::array()}), Layout::compact), "[[],[]]");
  EXPECT_EQ(parsed(to_text(value, Layout::indented)), value);
}

TEST(Document, WritesAListAsItComes) {
  const auto write = [](Layout layout) {
    return written([&](std::FILE* out) {
      ListDocument document(out, layout, {{"of", "x"}}, "thoughts");
      document.add(json::object{{"n", 1}, {"t", "a\nb"}});
      document.add(json::object{{"n", 2}});
      document.close({{"truncated", false}});
    });
  };
  EXPECT_EQ(
      write(Layout::compact),
      "{\"of\":\"x\",\"thoughts\":[{\"n\":1,\"t\":\"a\\nb\"},{\"n\":2}],\"truncated\":false}\n");
  const json::object whole = parsed(write(Layout::compact)).as_object();
  EXPECT_EQ(write(Layout::indented), pretty_json(whole) + "\n");
}

TEST(Document, WritesAnEmptyListToo) {
  const auto write = [](Layout layout) {
    return written([&](std::FILE* out) {
      ListDocument document(out, layout, {}, "thoughts");
      document.close({{"truncated", true}});
    });
  };
  EXPECT_EQ(write(Layout::compact), "{\"thoughts\":[],\"truncated\":true}\n");
  EXPECT_EQ(write(Layout::indented), "{\n  \"thoughts\": [],\n  \"truncated\": true\n}\n");
}

TEST(Document, WritesNothingBeforeTheFirstElementSoThatAnErrorCanStandAlone) {
  EXPECT_EQ(written([](std::FILE* out) {
              const ListDocument document(out, Layout::compact, {{"of", "x"}}, "thoughts");
              EXPECT_FALSE(document.has_begun());
            }),
            "");
}

}  // namespace
}  // namespace weft::cli
