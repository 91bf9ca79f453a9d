#include "weft/store/tables/edit_list.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "weft/store/pages/spaced_hex_for_test.hpp"

namespace weft::store {
namespace {

using Kind = edits::Edit::Kind;

std::vector<CallStatement> some_calls() {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return {{.request = 700,
           .result = 702,
           .time = 1'770'000'000'000,
           .edits = {{.kind = Kind::write, .path = "/p/a.py", .lines = {1, 0xffffffff}},
                     {.path = "/p/b.py", .is_user_modified = true, .lines = {7}}}},
          {.request = kMost, .time = std::numeric_limits<std::int64_t>::min()},
          {.request = 3,
           .result = 2,
           .time = kMost,
           .edits = {{.kind = Kind::move, .path = "c.py", .moved_from = "/p/a.py"},
                     {.kind = Kind::remove, .path = ""}}},
          {.request = 704, .is_sealed = true, .edits = {{.path = "secret.py", .lines = {5}}}}};
}

std::vector<CallStatement> unpacked(std::string_view bytes, bool is_sealed,
                                    std::string_view file_name = {}) {
  std::vector<CallStatement> out;
  const Status status = unpack_calls(bytes, is_sealed, file_name, out);
  EXPECT_TRUE(status) << status.error().message;
  return out;
}

TEST(EditList, ReadsWhatItPacks) {
  const auto calls = some_calls();
  auto read = unpacked(pack(calls, false), false);
  for (CallStatement& call : unpacked(pack(calls, true), true)) read.push_back(std::move(call));
  EXPECT_EQ(read, calls);
  EXPECT_EQ(pack({}, false), "");
  EXPECT_TRUE(unpacked("", false).empty());
}

// docs/formats/store.md, "Edits".
TEST(EditList, PacksTheWorkedExample) {
  const std::vector<CallStatement> calls = {
      {.request = 700,
       .result = 702,
       .time = 1'000,
       .edits = {{.kind = Kind::write, .path = "a.py", .lines = {0x04030201, 0x08070605}}}},
      {.request = 710,
       .time = 1'500,
       .edits = {{.kind = Kind::move, .path = "b.py", .moved_from = "a.py"}}}};
  EXPECT_EQ(sql::spaced_hex(pack(calls, false)),
            "02 04 61 2E 70 79 04 62 2E 70 79 "
            "F8 0A 03 04 D0 0F 00 02 01 02 03 04 05 06 07 08 "
            "14 02 E8 07 0B 00 00");
}

// A call that edits nothing of the name is still known: it may take back what was said before.
TEST(EditList, EditsOfOtherFilesAreLeftOut) {
  const std::string bytes = pack(some_calls(), false);
  const auto of_b = unpacked(bytes, false, "b.py");
  ASSERT_EQ(of_b.size(), 3u);
  ASSERT_EQ(of_b[0].edits.size(), 1u);
  EXPECT_EQ(of_b[0].edits[0].path, "/p/b.py");
  EXPECT_TRUE(of_b[1].edits.empty());
  EXPECT_TRUE(of_b[2].edits.empty());
  // What was moved away is of both names.
  EXPECT_EQ(unpacked(bytes, false, "a.py")[2].edits.size(), 1u);
  EXPECT_EQ(unpacked(bytes, false, "c.py")[2].edits.size(), 1u);
}

TEST(EditList, EveryCutAndEveryByteIsReadOrCorrupt) {
  const std::string bytes = pack(some_calls(), false);
  const auto read = [](std::string_view some) {
    std::vector<CallStatement> out;
    const Status status = unpack_calls(some, false, {}, out);
    if (!status) {
      EXPECT_EQ(status.error().code, ErrorCode::corrupt);
    }
  };
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    read(std::string_view(bytes).substr(0, size));
    for (const int byte : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[size] = static_cast<char>(byte);
      read(changed);
    }
  }
}

TEST(EditList, TheLastStatementOfACallCounts) {
  std::vector<CallStatement> calls = {{.request = 2, .edits = {{.path = "a"}}},
                                      {.request = 1, .edits = {{.path = "b"}}},
                                      {.request = 2, .result = 5, .edits = {{.path = "a"}}},
                                      {.request = 1},
                                      {.request = 3, .edits = {{.path = "c"}}}};
  keep_last(calls);
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_TRUE(calls[0].edits.empty()) << "it failed, or was superseded";
  EXPECT_EQ(calls[1].result, 5);
  drop_empty(calls);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].request, 2);
  EXPECT_EQ(calls[1].request, 3);
}

}  // namespace
}  // namespace weft::store
