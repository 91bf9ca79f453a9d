// What real logs of LiteLLM say, counted by hand.
#include <gtest/gtest.h>

#include "weft/formats/reading/reading_for_test.hpp"

namespace weft::formats {
namespace {

class LiteLlmReal : public RealFiles {
 protected:
  LiteLlmReal() : RealFiles("litellm", "litellm/BerriAI__litellm/tests/logging_callback_tests") {}
};

TEST_F(LiteLlmReal, ACallThatACallbackLogged) {
  const Collector collector = read("gcs_pub_sub_body/standard_logging_payload.json");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  const std::string id = "chatcmpl-2299b6a2-82a3-465a-b47c-04e685a2227f";
  EXPECT_EQ(conversation.heading.session_id, id);
  EXPECT_EQ(conversation.heading.provider, "openai");
  EXPECT_EQ(conversation.heading.program, "litellm");
  EXPECT_EQ(outline(conversation), "human #1: Hello, world! | assistant " + id + ": hi");
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(blocks[0].recorded, parse_iso8601("2025-01-24T09:20:46.847Z"));
  EXPECT_EQ(blocks[1].recorded, parse_iso8601("2025-01-24T09:20:46.851Z"));
  EXPECT_EQ(blocks[1].model, "gpt-4o");
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{10, 20, 0, 0}));
  EXPECT_TRUE(collector.skipped.empty());
}

TEST_F(LiteLlmReal, ABatchForLangfuseSaysEverythingTwice) {
  const Collector collector =
      read("langfuse_expected_request_body/completion_with_tags_stream.json");
  ASSERT_EQ(collector.conversations.size(), 1u);
  const auto& conversation = collector.conversations[0];
  EXPECT_EQ(conversation.heading.session_id, "litellm-test-54368a51-a382-493c-b0a8-3f1af23e18c4");
  EXPECT_EQ(kinds_of(conversation), (Counts{{"text", 2}}));
  const auto blocks = blocks_of(conversation);
  EXPECT_EQ(std::get<transcript::Text>(blocks[0].body).text, "Hello!");
  EXPECT_EQ(std::get<transcript::Text>(blocks[1].body).text, "Hello! How can I assist you today?");
  EXPECT_EQ(blocks[1].source_id,
            "time-08-38-25-665692_chatcmpl-8b67ffb8-4326-4e1b-bf4a-f70930c11c00");
  EXPECT_EQ(blocks[0].recorded, parse_iso8601("2025-01-22T08:38:25.665-08:00"));
  EXPECT_EQ(blocks[1].recorded, parse_iso8601("2025-01-22T08:38:26.015-08:00"));
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{10, 20, 0, 0}));
  EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 1}, {"internal", 1}}));
}

TEST_F(LiteLlmReal, ABatchWhoseAnswerWasNotLogged) {
  const Collector collector =
      read("langfuse_expected_request_body/completion_with_bedrock_call.json");
  const auto& conversation = collector.conversations.at(0);
  EXPECT_EQ(kinds_of(conversation), (Counts{{"text", 1}}));
  EXPECT_EQ(conversation.facts.usage, (transcript::Usage{10, 10, 0, 0}));
}

TEST_F(LiteLlmReal, EveryBatchHasOneCallAndOneMirror) {
  int files = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(root_ / "langfuse_expected_request_body")) {
    if (entry.path().filename() == "embedding_with_vllm.json") continue;
    const Collector collector = read_with("litellm", read_file(entry.path()).value());
    EXPECT_EQ(reasons_of(collector.skipped), (Counts{{"mirror", 1}, {"internal", 1}}))
        << entry.path();
    EXPECT_EQ(collector.conversations.size(), 1u) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 13);
}

TEST_F(LiteLlmReal, ClaimsItsOwnAndNothingElse) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string(), bytes = read_file(entry.path()).value();
    const bool is_own = path.find("/fixtures/litellm/") != std::string::npos &&
                        path.ends_with(".json") && !path.ends_with("embedding_with_vllm.json");
    EXPECT_EQ(find_adapter("litellm")->recognises(head_of(bytes)),
              is_own ? Confidence::yes : Confidence::no)
        << path;
  }
}

}  // namespace
}  // namespace weft::formats
