#include <gtest/gtest.h>

#include <filesystem>

#include "weft/base/file.hpp"
#include "weft/formats/adapter.hpp"

namespace weft::formats {
namespace {

const Adapter& adapter() { return *find_adapter("anthropic-transcript"); }

TEST(AnthropicTranscript, IsRecognisedInBothForms) {
  const std::string section =
      "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"a\"}]\n==========\n";
  const std::pair<std::string, Confidence> cases[] = {
      {section, Confidence::yes},
      {"Title: x\r\n\r\nAssistant:\r\n\r\nContent:\r\n[", Confidence::yes},
      {"some prose\n\n" + section, Confidence::maybe},
      {"Human: hi\n\nAssistant: hello\n", Confidence::no},
      {"Human:\nhi\n", Confidence::no},
      {R"([{"role":"human","content":[{"type":"te)", Confidence::yes},
      {R"([{"role":"system","content":"s"},{"role":"human","content":[]}])", Confidence::yes},
      {R"({"title":"t","turns":[{"sender":"human","content":"x"}]})", Confidence::yes},
      {R"([{"role":"assistant","content":[{"type":"text","start_timestamp":"x"}]}])",
       Confidence::maybe},
      {R"([{"role":"user","content":"x"},{"role":"assistant","content":"y"}])", Confidence::no},
      {R"([{"role":"assistant","content":"y"}])", Confidence::no},
      {R"({"model":"m","max_tokens":5,"messages":[{"role":"user","content":"x"}]})",
       Confidence::no},
      {R"({"type":"message","role":"assistant","content":[]})", Confidence::no},
      {R"([{"uuid":"u","chat_messages":[{"sender":"human","text":"x"}]}])", Confidence::no},
      {R"({"uuid":"u","chat_messages":[{"sender":"human","text":"x"}]})", Confidence::no},
      {R"([{"title":"t","mapping":{}}])", Confidence::no},
      {"{\"role\":\"human\",\"content\":\"x\"}\n{\"role\":\"assistant\",\"content\":\"y\"}\n",
       Confidence::no},
      {"", Confidence::no},
      {"[]", Confidence::no},
  };
  for (const auto& [head, confidence] : cases) {
    EXPECT_EQ(adapter().recognises(head), confidence) << head;
  }
}

TEST(AnthropicTranscript, ClaimsNoFileOfAnotherFormat) {
  const auto samples = std::filesystem::path(WEFT_SOURCE_DIR).parent_path() / "shared/fixtures";
  if (!std::filesystem::exists(samples)) GTEST_SKIP() << "no samples beside the tree";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(samples)) {
    if (!entry.is_regular_file()) continue;
    const Result<std::string> bytes = read_file(entry.path());
    if (!bytes) continue;
    EXPECT_EQ(adapter().recognises(head_of(*bytes)), Confidence::no) << entry.path();
  }
}

}  // namespace
}  // namespace weft::formats
