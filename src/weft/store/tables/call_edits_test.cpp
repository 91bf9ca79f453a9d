#include "weft/store/tables/call_edits.hpp"

#include <gtest/gtest.h>

#include "weft/edits/written_lines.hpp"

namespace weft::store {
namespace {

thought::Thought block(std::uint8_t name, std::string type, json::object content,
                       std::vector<thought::ContentRef> because = {}) {
  thought::Thought made;
  Digest digest{};
  digest[0] = name;
  made.cid = Cid(digest);
  made.type = std::move(type);
  made.content = std::move(content);
  made.because = std::move(because);
  return made;
}
thought::Thought request(std::uint8_t name, std::string_view tool) {
  return block(name, "test/tool_request",
               {{"tool_name", tool},
                {"input", {{"file_path", "/p/a.py"}, {"content", "first line\nsecond line\n"}}}});
}
thought::Thought result(std::uint8_t name, const thought::Thought& of, json::object content) {
  return block(name, "test/tool_result", std::move(content), {{.thought = of.cid}});
}

std::vector<std::optional<CallEdits>> prepared(const std::vector<thought::Thought>& thoughts) {
  return prepare_calls(thoughts, std::vector<OpenLayers>(thoughts.size()));
}

TEST(CallEdits, AreThoseOfTheCallWithItsResult) {
  const thought::Thought asked = request(1, "Write");
  const auto calls = prepared(
      {asked, result(2, asked,
                     {{"is_error", false},
                      {"details", {{"originalFile", "first line\n"}, {"userModified", true}}}})});
  ASSERT_TRUE(calls[0]);
  EXPECT_FALSE(calls[1]);
  EXPECT_EQ(calls[0]->result, result(2, asked, {}).cid);
  ASSERT_EQ(calls[0]->edits.size(), 1u);
  const CallEdit& edit = calls[0]->edits[0];
  EXPECT_EQ(edit.path, "/p/a.py");
  EXPECT_EQ(edit.kind, edits::Edit::Kind::write);
  EXPECT_TRUE(edit.is_user_modified);
  EXPECT_EQ(edit.lines, std::vector{edits::line_hash("second line")});
}

TEST(CallEdits, ACallThatFailedIsKnownAndHasNone) {
  const thought::Thought asked = request(1, "Write");
  const auto calls = prepared({asked, result(2, asked, {{"is_error", true}})});
  ASSERT_TRUE(calls[0]);
  EXPECT_TRUE(calls[0]->edits.empty());
}

TEST(CallEdits, WithoutAResultTheyAreWhatTheArgumentsSay) {
  const auto calls = prepared({request(1, "Write"), request(3, "Read")});
  ASSERT_TRUE(calls[0]);
  EXPECT_EQ(calls[0]->edits.size(), 1u);
  EXPECT_FALSE(calls[0]->result);
  EXPECT_FALSE(calls[1]) << "a tool that edits nothing";
}

TEST(CallEdits, AreReadFromLayersThatAreOpen) {
  thought::Thought sealed = block(1, "test/tool_request", {});
  const OpenLayers layers{.metadata = R"({"tool_name":"Write"})",
                          .content = R"({"input":{"file_path":"a.py","content":"first line\n"}})"};
  EXPECT_TRUE(states_edits({sealed, layers}));
  EXPECT_FALSE(states_edits({sealed, {.metadata = layers.metadata}}));
  EXPECT_FALSE(states_edits({sealed, {.metadata = "no JSON", .content = "["}}));
}

TEST(CallEdits, AFileNameIsTheLastComponent) {
  EXPECT_EQ(file_name_of("/home/ada/a.py"), "a.py");
  EXPECT_EQ(file_name_of("C:\\work\\a.py"), "a.py");
  EXPECT_EQ(file_name_of("a.py"), "a.py");
  EXPECT_EQ(file_name_of("/"), "");
  EXPECT_EQ(file_name_of(""), "");
}

}  // namespace
}  // namespace weft::store
