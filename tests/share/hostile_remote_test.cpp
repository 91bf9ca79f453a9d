// What is wrong in a remote is refused, named with its file, and the rest is taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "share_for_test.hpp"
#include "weft/base/file.hpp"

namespace weft::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class HostileFolder : public Sharing {
 protected:
  HostileFolder() {
    one.ingests(long_session(kOne));
    one.ingests(short_session(kTwo));
    one.push("folder");
    path = file_of(kOne);
    good = *read_file(path);
    const Machine reader;
    share_keyring_with(reader);
    fs::remove(path);
    reader.pull("folder");
    put(good);
    rest = number(reader.json({"verify"}), "checked");
  }
  void put(std::string_view text) const { EXPECT_TRUE(write_file_atomically(path, text, 0600)); }
  // Nothing of the damaged one is taken, and all of the other one.
  json::object expect_refused(const std::string& what) const {
    const Machine reader;
    share_keyring_with(reader);
    const json::object pulled = reader.pull("folder", 1);
    EXPECT_THAT(list(pulled, "taken"), SizeIs(1)) << what;
    const json::array refused = list(pulled, "refused");
    EXPECT_THAT(refused, SizeIs(1)) << what;
    EXPECT_EQ(number(reader.json({"verify"}), "checked"), rest) << what;
    EXPECT_EQ(number(reader.json({"list"}), "total"), 1) << what;
    if (refused.empty()) return {};
    EXPECT_EQ(text(refused.at(0).as_object(), "where"), path.string()) << what;
    EXPECT_NE(text(refused.at(0).as_object(), "reason"), "") << what;
    return pulled;
  }
  void share_keyring_with(const Machine& reader) const {
    fs::create_directories(reader.home());
    fs::copy_file(one.home() / "keyring.json", reader.home() / "keyring.json");
    fs::copy_file(one.home() / "config.json", reader.home() / "config.json");
  }

  fs::path path;
  std::string good;
  std::int64_t rest = 0;  // signatures of the other one
};

TEST_F(HostileFolder, RefusesAFileWithOtherBytes) {
  for (const double part : {0.1, 0.5, 0.9}) {
    std::string bad = good;
    char& byte = bad.at(static_cast<std::size_t>(static_cast<double>(bad.size()) * part));
    byte = byte == 'x' ? 'y' : 'x';
    put(bad);
    expect_refused("at " + std::to_string(part));
  }
}

TEST_F(HostileFolder, RefusesAFileThatWasCut) {
  for (const double part : {0.0, 0.3, 0.99}) {
    put(good.substr(0, static_cast<std::size_t>(static_cast<double>(good.size()) * part)));
    expect_refused("cut at " + std::to_string(part));
  }
}

TEST_F(HostileFolder, RefusesAFileWithoutOneOfItsThoughts) {
  std::istringstream lines(good);
  std::string bad;
  bool is_left_out = false;
  for (std::string line; std::getline(lines, line);) {
    const bool is_it = line.find("answer 3") != std::string::npos && !is_left_out;
    if (!is_it) bad += line + "\n";
    is_left_out = is_left_out || is_it;
  }
  ASSERT_TRUE(is_left_out);
  put(bad);
  expect_refused("without an answer");
}

TEST_F(HostileFolder, RefusesAnotherConversationUnderItsName) {
  put(*read_file(file_of(kTwo)));
  expect_refused("another conversation");
}

TEST_F(HostileFolder, RefusesWhatAStrangerSignedUnderMyName) {
  // Eve has the same name, the same session and words of her own.
  const Machine eve;
  eve.has_remotes({{"folder", "folder:" + shared.path("cloud/eve")}});
  Session session = long_session(kOne);
  session.says("FORGED");
  eve.ingests(session);
  eve.push("folder");
  for (const auto& entry : fs::directory_iterator(shared.scratch() / "cloud/eve/conversations")) {
    put(*read_file(entry.path()));
  }
  expect_refused("a stranger's");
}

TEST_F(HostileFolder, AnOlderFileTakesNothingAway) {
  two.pull("folder");
  const std::string before = path.filename().string();
  Session longer = long_session(kOne);
  longer.human("one more");
  one.ingests(longer);
  one.push("folder");
  two.pull("folder");
  const std::set<std::string> web = web_of(two);
  ASSERT_EQ(web, web_of(one));
  // The newer file is gone, and the older one is back.
  fs::remove(file_of(kOne));
  put(good);
  EXPECT_THAT(list(two.pull("folder"), "taken"), IsEmpty());
  EXPECT_EQ(web_of(two), web);
  // Older bytes under the newer name are refused.
  const json::object checked = one.push("folder", 0, {"--check"});
  EXPECT_THAT(list(checked, "sent"), SizeIs(1));
  path = file_of(kOne);
  EXPECT_NE(path.filename().string(), before);
  put(good);
  expect_refused("older bytes");
}

TEST_F(HostileFolder, AStrangersTombstoneForgetsNothing) {
  two.pull("folder");
  const Machine eve;
  eve.has_remotes({{"folder", "folder:" + folder().string()}});
  eve.pull("folder");
  eve.ingests(short_session(kTwo, "eve"));
  const json::object done = eve.json({"forget", cid_of(kOne), "--yes"});
  // What weft does not do by itself, she does by hand.
  const json::object tombstone = eve.json({"get", text(done, "tombstone"), "--sealed"});
  const json::object identity = eve.json({"get", text(tombstone, "created_by"), "--sealed"});
  fs::create_directories(folder() / "forgotten");
  append(folder() / "forgotten" / (std::string(64, 'a') + ".jsonl"),
         canonical_json(identity) + "\n" + canonical_json(tombstone) + "\n");
  const json::array forgotten = list(two.pull("folder"), "forgotten");
  ASSERT_THAT(forgotten, SizeIs(1));
  EXPECT_EQ(forgotten.at(0).at("carried_out"), false);
  EXPECT_EQ(number(two.json({"list"}), "total"), 2);
}

TEST_F(HostileFolder, ACheckNamesAndMendsWhatDiffers) {
  std::string bad = good;
  bad.at(bad.size() / 2) ^= 1;
  put(bad);
  fs::remove(file_of(kTwo));
  const json::object seen = one.push("folder", 1, {"--check", "--dry-run"});
  ASSERT_THAT(list(seen, "differences"), SizeIs(1));
  EXPECT_EQ(*read_file(path), bad);
  const json::object checked = one.push("folder", 0, {"--check"});
  const json::array differences = list(checked, "differences");
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(text(differences.at(0).as_object(), "where"), path.string());
  EXPECT_EQ(differences.at(0).at("mended"), true);
  EXPECT_THAT(list(checked, "sent"), SizeIs(1));
  EXPECT_EQ(*read_file(path), good);
  EXPECT_THAT(list(one.push("folder", 0, {"--check"}), "differences"), IsEmpty());
  EXPECT_THAT(list(two.pull("folder"), "taken"), SizeIs(2));
}

}  // namespace
}  // namespace weft::test
