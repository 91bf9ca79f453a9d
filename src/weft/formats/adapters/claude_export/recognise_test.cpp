#include <gtest/gtest.h>

#include <filesystem>

#include "weft/base/file.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::formats {
namespace {

const Adapter& adapter() { return *find_adapter("claude-export"); }

TEST(ClaudeExportRecognise, KnowsItsFormsAndNoOthers) {
  const std::pair<std::string, Confidence> cases[] = {
      {R"([{"uuid":"u","name":"n","chat_messages":[{"sender":"human","text":"x"}]}])",
       Confidence::yes},
      {R"([{"uuid":"u","name":"n","chat_messages":[)", Confidence::yes},
      {R"([null,{},{"uuid":"u","chat_messages":null}])", Confidence::yes},
      {R"({"uuid":"u","model":"m","chat_messages":[]})", Confidence::yes},
      {"{\"uuid\":\"u\",\"chat_messages\":[]}\n{\"uuid\":\"v\",\"chat_messages\":[]}\n",
       Confidence::yes},
      {R"({"version":1,"conversations":[{"uuid":"u","chat_messages":[]}]})", Confidence::yes},
      {R"({"uuid":"p","name":"n","description":"","prompt_template":"","docs":[]})",
       Confidence::yes},
      {R"([{"uuid":"p","name":"n","prompt_template":"x"}])", Confidence::yes},
      {R"({"uuid":"p","name":"n","docs":[]})", Confidence::maybe},
      {R"([{"conversations_memory":"x","account_uuid":"a"}])", Confidence::yes},
      {R"({"account_uuid":"a","memory_files":[]})", Confidence::yes},
      {R"({"uuid":"d","title":"t","messages":[{"role":"user","content":{"content":"x",)"
       R"("authorAccountUuid":"a"}}]})",
       Confidence::yes},
      {R"({"uuid":"d","title":"t","messages":[{"role":"user","content":"x"}]})", Confidence::no},
      {R"([{"title":"t","mapping":{}}])", Confidence::no},
      {R"([{"uuid":"u","name":"n","mapping":{},"chat_messages":[]}])", Confidence::no},
      {R"({"conversations":[{"title":"t","mapping":{}}]})", Confidence::no},
      {R"([{"uuid":"u","full_name":"n","email_address":"e","verified_phone_number":null}])",
       Confidence::no},
      {R"({"invalid":"x"})", Confidence::no},
      {R"({"text":"it has \"chat_messages\": [] inside"})", Confidence::no},
      {R"({"uuid":"u","name":"n"})", Confidence::no},
      {R"([{"sender":"human","text":"x"}])", Confidence::no},
      {"chat_messages", Confidence::no},
      {"[]", Confidence::no},
      {"", Confidence::no},
  };
  for (const auto& [head, confidence] : cases) {
    EXPECT_EQ(adapter().recognises(head), confidence) << head;
  }
}

// Wherever the head ends behind the first name, whatever is so long in it.
TEST(ClaudeExportRecognise, ClaimsAChatWhoseMessagesAreNotInSight) {
  const std::string long_text(2 * kHeadBytes, 'x');
  const std::string name = R"("uuid":"u","name":")" + long_text;
  const std::string summary = R"("uuid":"u","name":"n","summary":")" + long_text;
  for (const std::string& members : {name, summary}) {
    for (const std::string opening : {"[{", "{", " [\n {", R"({"conversations":[{)"}) {
      const std::string bytes = opening + members + R"(","chat_messages":[]}]})";
      EXPECT_EQ(adapter().recognises(head_of(bytes)), Confidence::maybe) << opening;
    }
  }
  const std::string head =
      R"([{"uuid":"u","name":"n","summary":"s","created_at":"c","updated_at":"d",)"
      R"("account":{"uuid":"a"},"chat_messages":[{"uuid":"m","sender":"human"}]}])";
  const std::size_t named = head.find("name") + 4;
  for (std::size_t cut = 0; cut <= head.size(); ++cut) {
    const Confidence confidence = adapter().recognises(head.substr(0, cut));
    EXPECT_EQ(confidence != Confidence::no, cut >= named) << head.substr(0, cut);
  }
}

TEST(ClaudeExportRecognise, LeavesAccountsAndListsOfArchivesAlone) {
  EXPECT_EQ(adapter().ignore_reason("/a/data.zip/users.json"), "account");
  EXPECT_EQ(adapter().ignore_reason("users.json"), "account");
  EXPECT_EQ(adapter().ignore_reason("light_metadata/login_history.json"), "account");
  EXPECT_EQ(adapter().ignore_reason("/a/manifest-2026.json"), "sidecar");
  EXPECT_EQ(adapter().ignore_reason("/a/conversations.json"), std::nullopt);
  EXPECT_EQ(adapter().ignore_reason("/users.json/conversations.json"), std::nullopt);
  EXPECT_EQ(adapter().ignore_reason(""), std::nullopt);
}

TEST(ClaudeExportRecognise, ClaimsOfAllSamplesItsOwn) {
  const auto samples = std::filesystem::path(WEFT_SOURCE_DIR).parent_path() / "shared/fixtures";
  if (!std::filesystem::exists(samples)) GTEST_SKIP() << "no samples beside the tree";
  std::size_t own = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(samples)) {
    if (!entry.is_regular_file()) continue;
    const Result<std::string> bytes = read_file(entry.path());
    if (!bytes) continue;
    const bool is_own = entry.path().string().contains("/claude-ai-export/") &&
                        entry.path().extension() == ".json" &&
                        entry.path().filename() != "simple-invalid.json";  // says so itself
    own += is_own ? 1 : 0;
    EXPECT_EQ(adapter().recognises(head_of(*bytes)), is_own ? Confidence::yes : Confidence::no)
        << entry.path();
  }
  EXPECT_EQ(own, 10u);
}

}  // namespace
}  // namespace weft::formats
