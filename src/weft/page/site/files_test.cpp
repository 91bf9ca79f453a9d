#include "weft/page/site/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/page/site/image_type.hpp"

namespace weft::page {
namespace {

using testing::HasSubstr;

std::string field_of(const net::HttpResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.fields) {
    if (key == name) return value;
  }
  return "";
}

net::HttpResponse get(const std::string& target, net::HttpFields fields = {}) {
  return respond_with_file({.method = "GET", .target = target, .fields = std::move(fields)});
}

TEST(Files, EveryScreenIsThePage) {
  for (const char* path : {"/", "/t/cid:blake3:3f", "/c/3f2a", "/search", "/sessions"}) {
    EXPECT_TRUE(is_file(path)) << path;
    EXPECT_EQ(get(path).lent, get("/").lent) << path;
  }
}

TEST(Files, WhatIsNotThereIsNotThePage) {
  for (const char* path : {"/assets/old.js", "/assets/", "/assets/../x", "/tt", "/mcp",
                           "/api/hello", "//", "/search%2f", "/index.html"}) {
    EXPECT_FALSE(is_file(path)) << path;
  }
}

TEST(Files, ThePageAllowsNothingFromElsewhereAndNoMarkupFromStrings) {
  const std::string policy = field_of(get("/"), "Content-Security-Policy");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, HasSubstr("require-trusted-types-for 'script'"));
  EXPECT_THAT(policy, HasSubstr("frame-ancestors 'none'"));
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(policy.find("http"), std::string::npos);
  EXPECT_EQ(get("/").cache, "no-cache");
}

TEST(Files, AClientThatHasAFileIsNotSentItAgain) {
  const std::string etag = field_of(get("/"), "ETag");
  EXPECT_GT(etag.size(), 10u);
  EXPECT_EQ(get("/", {{"if-none-match", etag}}).status, 304u);
  EXPECT_EQ(get("/", {{"if-none-match", "\"other\", " + etag}}).status, 304u);
  EXPECT_EQ(get("/", {{"if-none-match", "\"other\""}}).status, 200u);
  EXPECT_TRUE(get("/", {{"if-none-match", etag}}).content().empty());
}

TEST(Files, EncodingsAreThoseThatTheClientAccepts) {
  for (const File& file : all_files()) {
    const std::string path(file.path);
    EXPECT_EQ(get(path).lent, file.bytes);
    EXPECT_EQ(get(path, {{"accept-encoding", "gzip;q=0, br;q=0"}}).lent, file.bytes);
    const auto best = get(path, {{"accept-encoding", "gzip, deflate, br"}});
    EXPECT_EQ(best.lent, file.brotli.empty() ? file.bytes : file.brotli) << path;
    const auto zipped = get(path, {{"accept-encoding", "gzip"}});
    EXPECT_EQ(zipped.lent, file.gzip.empty() ? file.bytes : file.gzip) << path;
  }
}

TEST(ImageType, IsThatOfTheBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(image_type("\x89PNG\r\n\x1a\n…"sv), "image/png");
  EXPECT_EQ(image_type("\xff\xd8\xff\xe0"sv), "image/jpeg");
  EXPECT_EQ(image_type("GIF89a…"sv), "image/gif");
  EXPECT_EQ(image_type("RIFF1234WEBPVP8 "sv), "image/webp");
  for (const auto bytes : {""sv, "RIFF"sv, "<svg onload=x>"sv, "<!doctype html>"sv, "GIF88a"sv}) {
    EXPECT_EQ(image_type(bytes), "") << bytes;
  }
}

}  // namespace
}  // namespace weft::page
