#include "weft/store/open.hpp"

#include <gtest/gtest.h>

#include "weft/store/scratch_for_test.hpp"

namespace weft::store {
namespace {

TEST(StoreUrl, IsAPathWithOrWithoutItsScheme) {
  for (const char* text : {"sqlite:/a/weft.db", "/a/weft.db"}) {
    const StoreUrl url = StoreUrl::parse(text).value();
    EXPECT_EQ(url.shown(), "/a/weft.db");
    EXPECT_EQ(url.str(), "sqlite:/a/weft.db");
    EXPECT_EQ(url.file(".lock"), "/a/weft.db.lock");
    EXPECT_EQ(url.folder(), "/a");
  }
}

TEST(StoreUrl, NamesTheSameStoreInAnotherFolder) {
  const StoreUrl url = StoreUrl::parse("sqlite:weft.db").value();
  EXPECT_EQ(url.shown(), "weft.db");
  EXPECT_EQ(url.str(), "sqlite:" + (std::filesystem::current_path() / "weft.db").string());
  EXPECT_EQ(url.folder(), std::filesystem::current_path());
}

TEST(StoreUrl, OfAnotherKindIsRefused) {
  for (const char* text :
       {"", "sqlite:", "mysql://host/weft", "postgres://ada:secret@localhost/weft"}) {
    const auto url = StoreUrl::parse(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_input);
    EXPECT_EQ(open_store(text, Create::yes).error().code, ErrorCode::invalid_input);
  }
}

TEST(StoreUrl, OfAServerHasItsFilesInAFolderOfThisMachine) {
  const StoreUrl url = StoreUrl::parse("postgres://ada@localhost/weft?schema=looms", "/h").value();
  ASSERT_TRUE(url.server());
  EXPECT_EQ(url.server()->schema(), "looms");
  EXPECT_EQ(url.str(), url.shown());
  EXPECT_EQ(StoreUrl::parse(url.str()).value().str(), url.str());
  EXPECT_EQ(url.folder(), "/h");
  EXPECT_EQ(url.file(".lock").parent_path(), "/h");
  const StoreUrl other = StoreUrl::parse("postgres://ada@localhost/weft", "/h").value();
  EXPECT_NE(other.file(".lock"), url.file(".lock"));
  EXPECT_TRUE(url.exists()) << "as far as one knows without asking it";
  EXPECT_TRUE(url.write_locks().empty());
}

TEST(StoreUrl, TellsWhetherTheStoreExists) {
  const Scratch scratch;
  const StoreUrl url = StoreUrl::parse((scratch.path() / "weft.db").string()).value();
  EXPECT_FALSE(url.exists());
  EXPECT_EQ(open_store(url, Create::no).error().code, ErrorCode::not_found);
  ASSERT_TRUE(open_store(url, Create::yes));
  ASSERT_TRUE(url.find_status());
  EXPECT_TRUE(url.find_status()->is_private);
  EXPECT_GT(url.find_status()->bytes, 0u);
  EXPECT_TRUE(open_store(url, Create::no));
}

}  // namespace
}  // namespace weft::store
