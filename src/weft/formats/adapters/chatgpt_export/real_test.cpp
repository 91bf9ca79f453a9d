// Exports of ChatGPT's, read by hand: what must come out is counted in the files themselves.
#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/chatgpt_export/chatgpt_export_for_test.hpp"

namespace weft::formats::chatgpt_export {
namespace {

using transcript::Text;

class ChatgptReal : public RealFiles {
 protected:
  ChatgptReal() : RealFiles("chatgpt-export", "chatgpt-export") {}
};

const std::string kLibre =
    "danny-avila__LibreChat/api/server/utils/import/__data__/chatgpt-export.json";
const std::string kNative = "Sinity__polylogue/tests/fixtures/chatgpt/native-conversation-v1.json";
const std::string kSample =
    "slyubarskiy__chatgpt-conversation-extractor/tests/fixtures/sample_conversation.json";

TEST_F(ChatgptReal, ASearchOfTheWeb) {
  const Collector all = read(kLibre);
  ASSERT_EQ(all.conversations.size(), 2u);
  const Conversation& session = all.conversations[0];
  EXPECT_EQ(session.heading.session_id, "d6523d1e-7ec3-474f-a363-0e9dffdb3d93");
  EXPECT_EQ(session.facts.title, "Conversation 1. Web Search");
  EXPECT_EQ(session.facts.updated_at, 1704717442442);
  // 17 nodes: the root, an empty system message, and these.
  EXPECT_EQ(kinds_of(session), (Counts{{"text", 3 + 3}, {"call", 4}, {"result", 5}}));
  ASSERT_EQ(session.turns.size(), 6u);
  const auto& first = session.turns[1].blocks;
  ASSERT_EQ(first.size(), 6u);
  EXPECT_EQ(std::get<ToolCall>(first[0].body).name, "browser");
  EXPECT_EQ(std::get<ToolCall>(first[0].body).input,
            json::value("search(\"Volkswagen Transporter fuel consumption with 8 people l/km\")"));
  const auto call_of = [&](std::size_t i) { return std::get<ToolResult>(first[i].body).call_id; };
  EXPECT_EQ(call_of(1), "412dd50f-40c9-4f21-9102-fe148eb41a0b");
  EXPECT_EQ(call_of(3), first[2].source_id);
  EXPECT_EQ(call_of(4), first[2].source_id);  // two pages were opened by one call
  EXPECT_EQ(first[5].model, "gpt-4");
  EXPECT_EQ(first[5].recorded, 1704629939865);
  const auto answer = std::get<Text>(first[5].body);
  ASSERT_EQ(answer.citations.size(), 2u);
  EXPECT_EQ(answer.citations[1].url,
            "https://www.drive.com.au/reviews/volkswagen-transporter-review/");
  EXPECT_EQ(answer.citations[1].title, "Volkswagen Transporter Review - Drive");
  const auto [from, to] = answer.citations[1].indices.value();
  EXPECT_EQ(slice_code_points(answer.text, from, to), "【7†source】");
}

TEST_F(ChatgptReal, AConversationAboutCode) {
  const Collector all = read(kLibre);
  const Conversation& session = all.conversations.at(1);
  EXPECT_EQ(session.heading.session_id, "7c5ab593-dbab-43bd-862d-2c3c1eeebf6a");
  ASSERT_EQ(session.turns.size(), 4u);
  EXPECT_EQ(kinds_of(session), (Counts{{"text", 4}}));
  EXPECT_EQ(std::get<Text>(session.turns[2].blocks[0].body).text, "give me code in C#");
  EXPECT_EQ(session.turns[3].blocks[0].model, "text-davinci-002-render-sha");
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"hidden", 2}}));  // one of each conversation
}

TEST_F(ChatgptReal, AnAnswerThatWasGivenAnewWithReasoning) {
  const Collector all = read(kNative);
  const Conversation session = only(all);
  EXPECT_TRUE(all.skipped.empty());
  EXPECT_EQ(outline(session),
            "system context: *text *text | human user: text attachment attachment | assistant "
            "answer-inactive: Superseded answer. | assistant thought-active<user: thinking call "
            "result thinking text attachment");
  const auto& answer = session.turns[3].blocks;
  EXPECT_EQ(std::get<ToolCall>(answer[1].body).input,
            (json::object{{"query", "fixture evidence"}}));
  EXPECT_EQ(std::get<ToolResult>(answer[2].body).call_id, "tool-call");
  EXPECT_EQ(answer[0].recorded, 1784164544946);
  EXPECT_EQ(answer[3].start, 1784164541690);
  EXPECT_EQ(answer[3].stop, 1784169732588);
  EXPECT_EQ(answer[4].model, "gpt-5-6-pro");
}

TEST_F(ChatgptReal, ASampleWithAProject) {
  const Collector all = read(kSample);
  ASSERT_EQ(all.conversations.size(), 2u);
  EXPECT_EQ(outline(all.conversations[0]),
            "system node-2: *text | human node-3: text | assistant node-4: text");
  EXPECT_EQ(kinds_of(all.conversations[1]), (Counts{{"text", 1}, {"attachment", 1}}));
  EXPECT_EQ(all.conversations[1].facts.project, "g-p-test-project");
}

// A record is a conversation: each tells something of itself or is skipped. Within, each message
// does.
TEST_F(ChatgptReal, EveryMessageIsMappedOrSkipped) {
  for (const std::string& path : {kLibre, kNative, kSample}) {
    const Result<ParsedJson> parsed = parse_json(read_file(root_ / path).value());
    json::array conversations;
    if (parsed->value.is_array()) conversations = parsed->value.get_array();
    else conversations.push_back(parsed->value);
    std::size_t messages = 0;
    for (const json::value& conversation : conversations) {
      for (const auto& [key, node] : *find_object(conversation.get_object(), "mapping")) {
        messages += find_object(node.get_object(), "message") != nullptr;
      }
    }
    const Collector all = read(path);
    std::size_t content = all.skipped.size();
    for (const Conversation& one : all.conversations) {
      std::string last;
      for (const Block& block : blocks_of(one)) {
        content += block.source_id != last;
        last = block.source_id;
      }
    }
    EXPECT_EQ(content, messages) << path;
    EXPECT_EQ(all.conversations.size(), conversations.size()) << path;
  }
}

TEST_F(ChatgptReal, ClaimsItsOwnFilesAndNoOthers) {
  const Adapter& adapter = *find_adapter("chatgpt-export");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(real_fixtures())) {
    if (!entry.is_regular_file()) continue;
    const std::string path = fs::relative(entry.path(), real_fixtures()).string();
    const bool is_own = path == "chatgpt-export/" + kLibre || path == "chatgpt-export/" + kNative ||
                        path == "chatgpt-export/" + kSample;
    const std::string bytes = read_file(entry.path()).value();
    EXPECT_EQ(adapter.recognises(head_of(bytes)), is_own ? Confidence::yes : Confidence::no)
        << path;
  }
}

}  // namespace
}  // namespace weft::formats::chatgpt_export
