#include "weft/cli/render/rendering.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace weft::cli {
namespace {

// What a document looks like that had `elements` elements when `outcome` came.
std::string closed_after(int elements, const Status& outcome, Answer& answer) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* file = ::open_memstream(&text, &size);
  {
    ListDocument document(file, Layout::compact, {}, "thoughts");
    for (int i = 0; i < elements; ++i) document.add(i);
    answer = closed(document, outcome, {{"truncated", false}});
  }
  std::fclose(file);
  std::string out(text, size);
  std::free(text);
  return out;
}

TEST(Rendering, AnErrorAfterTheFirstElementStandsBesideTheList) {
  Answer answer;
  EXPECT_EQ(closed_after(1, fail(ErrorCode::corrupt, "broken"), answer),
            "{\"thoughts\":[0],\"truncated\":false,"
            "\"error\":{\"code\":\"corrupt\",\"message\":\"broken\"}}\n");
  EXPECT_EQ(answer, Exit::failure);
}

TEST(Rendering, AnErrorBeforeItIsTheCallersToTell) {
  Answer answer;
  EXPECT_EQ(closed_after(0, fail(ErrorCode::not_found, "none"), answer), "");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().exit, Exit::no);
  EXPECT_EQ(closed_after(0, {}, answer), "{\"thoughts\":[],\"truncated\":false}\n");
  EXPECT_EQ(answer, Exit::done);
}

TEST(Rendering, ATimeMayBeRelative) {
  EXPECT_EQ(check_time("2026-10-01"), "");
  EXPECT_EQ(check_time("2026-10-01T14:30:00Z"), "");
  EXPECT_EQ(check_time("yesterday"), "");
  EXPECT_TRUE(check_time("someday").starts_with("'someday' is not a time: expected "));
}

}  // namespace
}  // namespace weft::cli
