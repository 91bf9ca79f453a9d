// Asks a database like that of Cursor's editor, through the sqlite3 program.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

const Adapter& adapter() { return *find_adapter("cursor"); }

class CursorDatabase : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("sqlite3 --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no sqlite3";
    directory_ = testing::TempDir() + "/cursor-database-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    // As the editor makes it. The second composer keeps its bubbles in itself, the third has
    // none, the fourth is broken, and values are text or bytes.
    run(R"(
      CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
      INSERT INTO cursorDiskKV VALUES
        ('bubbleId:c1:b2', '{"type":2,"text":"two"}'),
        ('bubbleId:c1:b1', CAST('{"type":1,
          "text":"one"}' AS BLOB)),
        ('bubbleId:c1:b4', NULL),
        ('bubbleId:c1:gone', '{"type":2,"text":"abandoned"}'),
        ('bubbleId:c10:b1', '{"type":1,"text":"of another"}'),
        ('composerData:c1', '{"composerId":"c1","name":"One","fullConversationHeadersOnly":)"
        R"([{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3"},)"
        R"({"bubbleId":"b4"}]}'),
        ('composerData:c2', '{"composerId":"c2","conversation":[{"bubbleId":"x","type":1,)"
        R"("text":"old"},{"bubbleId":"y","type":2,"text":"older"}]}'),
        ('composerData:c3', '{"composerId":"c3","fullConversationHeadersOnly":[]}'),
        ('composerData:c4', '{"composerId":'),
        ('composerData:c5', NULL),
        ('inlineDiff:c1', 'x');)");
  }

  std::string run(const std::string& sql) {
    std::ofstream(directory_ + "/script.sql") << sql;
    const std::string command =
        "sqlite3 " + directory_ + "/db.sqlite < " + directory_ + "/script.sql 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string out;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
    pclose(pipe);
    return out;
  }

  std::string conversations() { return run(std::string(adapter().database->conversations) + ";"); }

  std::string lines(std::string_view session, int cursor) {
    return run(".parameter init\nINSERT INTO temp.sqlite_parameters VALUES ('?1', '" +
               std::string(session) + "'), ('?2', " + std::to_string(cursor) + ");\n" +
               std::string(adapter().database->lines) + ";");
  }

  std::string directory_;
};

TEST_F(CursorDatabase, ListsComposersThatHaveBubblesOrAreBroken) {
  std::string names;
  std::istringstream rows(conversations());
  for (std::string row; std::getline(rows, row);) names += row.substr(0, row.find('|')) + " ";
  EXPECT_EQ(names, "c1 c2 c4 ");
}

TEST_F(CursorDatabase, TheStampIsAnotherOneWhenARowIsWrittenAnew) {
  const std::string before = conversations();
  run("INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b2', '{\"type\":2,\"text\":\"TWO\"}');");
  const std::string after = conversations();
  EXPECT_NE(after, before);
  EXPECT_EQ(after.substr(after.find('\n')), before.substr(before.find('\n')));
}

TEST_F(CursorDatabase, GivesTheBubblesInTheOrderInWhichTheComposerListsThem) {
  EXPECT_EQ(lines("c1", 0),
            "1|{\"composer\":{\"composerId\":\"c1\",\"name\":\"One\"}}\n"
            "2|{\"bubbleId\":\"b1\",\"bubble\":{\"type\":1,\"text\":\"one\"}}\n"
            "3|{\"bubbleId\":\"b2\",\"bubble\":{\"type\":2,\"text\":\"two\"}}\n"
            "4|{\"bubbleId\":\"b3\",\"bubble\":null}\n"
            "5|{\"bubbleId\":\"b4\",\"bubble\":null}\n");
  EXPECT_EQ(lines("c1", 4), "5|{\"bubbleId\":\"b4\",\"bubble\":null}\n");
}

TEST_F(CursorDatabase, GivesTheBubblesThatAComposerKeepsInItself) {
  EXPECT_EQ(lines("c2", 0),
            "1|{\"composer\":{\"composerId\":\"c2\"}}\n"
            "2|{\"bubble\":{\"bubbleId\":\"x\",\"type\":1,\"text\":\"old\"}}\n"
            "3|{\"bubble\":{\"bubbleId\":\"y\",\"type\":2,\"text\":\"older\"}}\n");
}

TEST_F(CursorDatabase, ABrokenComposerIsNamed) {
  EXPECT_EQ(lines("c4", 0), "1|{\"composer\":null}\n");
  EXPECT_EQ(reasons_of(read_with("cursor", "{\"composer\":null}").skipped),
            (std::map<std::string, int>{{"malformed: not a composer", 1}}));
}

TEST_F(CursorDatabase, AsksForKeysOnlyByTheIndex) {
  for (const std::string_view sql :
       {adapter().database->conversations, adapter().database->lines}) {
    const std::string plan = run("EXPLAIN QUERY PLAN " + std::string(sql) + ";");
    EXPECT_EQ(plan.find("SCAN cursorDiskKV"), std::string::npos) << plan;
    EXPECT_EQ(plan.find("SCAN c\n"), std::string::npos) << plan;
    EXPECT_EQ(plan.find("SCAN b\n"), std::string::npos) << plan;
  }
}

}  // namespace
}  // namespace weft::formats
