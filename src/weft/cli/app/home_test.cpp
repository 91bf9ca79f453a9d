#include "weft/cli/app/home.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <thread>

#include "weft/cli/app/scratch_for_test.hpp"

namespace weft::cli {
namespace {

TEST(Home, IsWhereTheUserSaysElseWhereXdgSaysElseInTheirHome) {
  const auto directory = [](const Environment& environment, const Places& places = {}) {
    return find_home(environment, places).value().directory.string();
  };
  Environment all{.weft_home = "/w", .xdg_data_home = "/x", .home = "/h"};
  EXPECT_EQ(directory(all, {.home = "/here"}), "/here");
  EXPECT_EQ(directory(all), "/w");
  EXPECT_EQ(directory({.xdg_data_home = "/x", .home = "/h"}), "/x/weft");
  EXPECT_EQ(directory({.home = "/h"}), "/h/.local/share/weft");
  EXPECT_EQ(directory({.xdg_data_home = "relative", .home = "/h"}), "/h/.local/share/weft");
}

TEST(Home, HoldsKeyringAndStoreUnlessTheyAreElsewhere) {
  const Home home = find_home({.weft_home = "/w"}, {}).value();
  EXPECT_EQ(home.keyring, "/w/keyring.json");
  EXPECT_EQ(home.store.shown(), "/w/weft.db");
  const Home other =
      find_home({.weft_home = "/w"}, {.store = "sqlite:s.db", .keys = "k.json"}).value();
  EXPECT_EQ(other.keyring, "k.json");
  EXPECT_EQ(other.store.shown(), "s.db");
}

TEST(Home, IsMadeForItsOwnerAlone) {
  const ScratchDirectory scratch;
  const Home home = find_home({}, {.home = scratch / "a/b/weft"}).value();
  ASSERT_TRUE(make_home(home));
  ASSERT_TRUE(make_home(home));
  struct stat status{};
  ASSERT_EQ(::stat(home.directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
}

TEST(Home, IsNotMadeWhereNothingWouldLieInIt) {
  const ScratchDirectory scratch;
  const std::string place = scratch / "weft";
  ASSERT_TRUE(make_home(find_home({}, {.home = place, .store = "s", .keys = "k"}).value()));
  EXPECT_FALSE(std::filesystem::exists(place));
}

TEST(Home, RefusesAFileInItsPlace) {
  const ScratchDirectory scratch;
  scratch.write("weft", "");
  const Status made = make_home(find_home({}, {.home = scratch / "weft"}).value());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::invalid_input);
}

TEST(Home, EndsWithOneKeyringWhenSeveralMakeItAtOnce) {
  const ScratchDirectory scratch;
  const Home home = find_home({}, {.home = scratch / "weft"}).value();
  ASSERT_TRUE(make_home(home));
  std::array<std::string, 8> keys;
  {
    std::vector<std::jthread> threads;
    for (std::string& key : keys) {
      threads.emplace_back([&] {
        const Result<LoadedKeyring> loaded =
            load_or_create_keyring(home, {.user = "ada"}, {}, 1'000, {});
        key = loaded ? loaded->keyring.owner_key().str() : loaded.error().message;
      });
    }
  }
  for (const std::string& key : keys) EXPECT_EQ(key, keys.front());
}

TEST(Home, NamesTheOwnerAfterTheUserUnlessToldOtherwise) {
  const ScratchDirectory scratch;
  const auto owner = [&](const std::string& where, const FirstUse& first_use) {
    const Home home = find_home({}, {.home = scratch / where}).value();
    EXPECT_TRUE(make_home(home));
    return load_or_create_keyring(home, {.user = "ada"}, first_use, 1'000, {})
        .value()
        .keyring.owner_name();
  };
  EXPECT_EQ(owner("a", {}), "ada");
  EXPECT_EQ(owner("b", {.name = "Ada Lovelace"}), "Ada Lovelace");
}

}  // namespace
}  // namespace weft::cli
