#include "weft/cli/serve/serve_options.hpp"

#include <gtest/gtest.h>

namespace weft::cli {
namespace {

TEST(ServeOptions, ShowsFilesOnlyIfNobodyBeyondThisMachineIsServed) {
  using page::FileTexts;
  const auto texts = [](std::string listen, std::vector<std::string> hosts = {}) {
    ServeOptions options;
    options.listen = std::move(listen);
    options.hosts = std::move(hosts);
    return options.file_texts();
  };
  EXPECT_EQ(texts("127.0.0.1:0"), FileTexts::shown);
  EXPECT_EQ(texts("[::1]:4737", {"localhost", "weft.localhost:8080", "127.0.0.2"}),
            FileTexts::shown);
  EXPECT_EQ(texts("0.0.0.0:4737"), FileTexts::withheld);
  EXPECT_EQ(texts("[::]:4737"), FileTexts::withheld);
  EXPECT_EQ(texts("192.168.0.7:4737"), FileTexts::withheld);
  EXPECT_EQ(texts("127.0.0.1:0", {"weft.localhost", "weft.example"}), FileTexts::withheld);
  EXPECT_EQ(texts("127.0.0.1:0", {"localhost.example"}), FileTexts::withheld);
}

}  // namespace
}  // namespace weft::cli
