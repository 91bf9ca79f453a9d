// Conversations of every format, woven, stored, and exported in every form that can be written:
// each is valid for its API, loses no text, and reads back equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "replay_for_test.hpp"
#include "web_for_test.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/writing/dialogue.hpp"
#include "weft/query/transcript/rebuild.hpp"
#include "weft/store/open.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;
using transcript::Author;
using transcript::Block;
using transcript::Conversation;

// A store, and a keyring that others can have too.
class Shelf {
 public:
  explicit Shelf(const crypto::Keyring& keyring) : keyring_(keyring) {
    auto opened = store::open_store(dir_ / "weft.db", store::Create::yes);
    EXPECT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }

  std::vector<Cid> ingest(const fs::path& path, std::optional<std::string> format = {}) {
    ingest::Options options{.paths = {path}};
    options.format = std::move(format);
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest::ingest(*store_, keyring_, options);
    EXPECT_TRUE(report) << report.error().message;
    std::vector<Cid> ingested;
    for (const auto& one :
         report ? report->conversations : std::vector<ingest::IngestedConversation>()) {
      ingested.push_back(one.cid);
    }
    return ingested;
  }
  std::vector<Cid> ingest_text(std::string_view text, std::string format) {
    const fs::path path = dir_ / ("in" + std::to_string(++files_));
    write_text(path, text);
    return ingest(path, std::move(format));
  }
  Conversation rebuilt(const Cid& cid) const {
    const auto row = store_->conversation(cid);
    auto part = query::rebuild({*store_, &keyring_}, *row, {.leave_out_sealed = true});
    EXPECT_TRUE(part) << part.error().message;
    return part ? std::move(part->conversation) : Conversation();
  }

 private:
  TempDir dir_;
  const crypto::Keyring& keyring_;
  std::unique_ptr<store::Store> store_;
  int files_ = 0;
};

// The content by its recipient: all text to the model and all of its text, its calls, and their
// results. Ordered only within each, because system prompts come first.
struct Substance {
  std::multiset<std::string> to_model, results;
  std::vector<std::string> from_model, calls;
};

Substance substance_of(const Conversation& conversation, std::size_t longest_name) {
  Substance out;
  std::set<std::string> ids;
  for (const transcript::Turn& turn : conversation.turns) {
    for (const Block& block : turn.blocks) {
      if (const auto* text = std::get_if<transcript::Text>(&block.body)) {
        if (text->text.empty()) continue;
        if (block.author == Author::model) out.from_model.push_back(text->text);
        else out.to_model.insert(text->text);
      } else if (const auto* compaction = std::get_if<transcript::Compaction>(&block.body)) {
        if (!compaction->summary.empty()) out.to_model.insert(compaction->summary);
      } else if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) {
        const std::string name = formats::plain_name(call->name, longest_name);
        out.calls.push_back(name.empty() ? "tool" : name);
      } else if (const auto* result = std::get_if<transcript::ToolResult>(&block.body)) {
        if (!result->text.empty()) out.results.insert(result->text);
      }
    }
  }
  return out;
}

std::size_t noted(const formats::Written& written, std::string_view what) {
  for (const std::string& note : written.notes) {
    const std::size_t sign = note.find(" × ");
    if (note.find(what) != std::string::npos) return std::stoul(note.substr(0, sign));
  }
  return 0;
}

template <class Set>
Set without(Set from, const Set& ingested) {
  for (const auto& one : ingested) {
    if (const auto found = from.find(one); found != from.end()) from.erase(found);
  }
  return from;
}

// {messages, tools?} of Chat Completions: the rules that its types do not express.
std::string broken_chat_rule(const json::object& request) {
  std::set<std::string> open, ids;
  for (const json::value& value : request.at("messages").as_array()) {
    const json::object& message = value.as_object();
    const std::string role(find_string(message, "role").value_or(""));
    if (role == "tool") {
      if (open.erase(std::string(find_string(message, "tool_call_id").value_or(""))) == 0) {
        return "a result without its call";
      }
      continue;
    }
    if (!open.empty()) return "a call without its result";
    const json::array* calls = find_array(message, "tool_calls");
    const json::value* content = find_member(message, "content");
    const bool says_nothing =
        content == nullptr || *content == json::value("") || *content == json::value(json::array());
    if (says_nothing && calls == nullptr) return "an empty message";
    if (calls == nullptr) continue;
    if (role != "assistant" || calls->empty()) return "calls of nobody";
    for (const json::value& call : *calls) {
      const std::string id(find_string(call.as_object(), "id").value_or(""));
      if (id.empty() || id.size() > 40 || !ids.insert(id).second) return "a call's id";
      open.insert(id);
    }
  }
  return open.empty() ? "" : "a call without its result";
}

class EveryFormat : public testing::TestWithParam<std::string> {
 protected:
  EveryFormat() : keyring(*crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking)) {}

  static json::object parsed(const std::string& text) {
    const auto value = parse_json(text);
    EXPECT_TRUE(value) << value.error().message;
    return value && value->value.is_object() ? value->value.get_object() : json::object();
  }

  // Written, woven again in another store, and written again.
  void check(const Conversation& conversation, std::string_view form) {
    const formats::Adapter* adapter = formats::find_form(form);
    ASSERT_NE(adapter, nullptr);
    const auto is_empty = [](const transcript::Turn& turn) { return turn.blocks.empty(); };
    if (std::ranges::all_of(conversation.turns, is_empty)) return;  // facts alone
    const Result<formats::Written> written = adapter->write(conversation);
    if (!written) {
      // A title, or an error alone.
      EXPECT_EQ(written.error().code, ErrorCode::invalid_input);
      return;
    }
    ++checked;
    const bool is_request = form != "anthropic-transcript";
    if (form == "anthropic-messages") {
      EXPECT_EQ(test::broken_rule(parsed(written->text)), "") << written->text;
    }
    if (form == "openai-messages") {
      EXPECT_EQ(broken_chat_rule(parsed(written->text)), "") << written->text;
    }
    Shelf other(keyring);
    const std::vector<Cid> ingested = other.ingest_text(written->text, std::string(adapter->name));
    ASSERT_EQ(ingested.size(), 1u) << written->text;
    const Conversation again = other.rebuilt(ingested[0]);
    if (is_request) compare(conversation, again, *written, form == "openai-messages" ? 64 : 128);
    const Result<formats::Written> twice = adapter->write(again);
    ASSERT_TRUE(twice);
    if (form == "anthropic-messages") {
      EXPECT_EQ(test::difference(parsed(written->text), parsed(twice->text)), "");
    } else if (is_request) {
      EXPECT_EQ(canonical_json(parsed(twice->text)), canonical_json(parsed(written->text)));
    } else {
      compare_blocks(conversation, again);
    }
  }

  // What a transcript holds: every block, in order. Not whether it is a program or a person that
  // speaks within a person's turn, and not whose result it is where its call did not come.
  static void compare_blocks(const Conversation& conversation, const Conversation& again) {
    const std::vector<Block> before = blocks_in(conversation), after = blocks_in(again);
    ASSERT_EQ(after.size(), before.size());
    const bool is_torn = has_stray(before);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(json_of(after[i], is_torn), json_of(before[i], is_torn));
    }
  }
  // One result without its call is mistaken for that of another one, and so on.
  static bool has_stray(const std::vector<Block>& blocks) {
    std::set<std::string> calls;
    return std::ranges::any_of(blocks, [&](const Block& block) {
      const auto* call = std::get_if<transcript::ToolCall>(&block.body);
      if (call != nullptr && !call->id.empty()) calls.insert(call->id);
      const auto* result = std::get_if<transcript::ToolResult>(&block.body);
      return result != nullptr && !calls.contains(result->call_id);
    });
  }
  static std::vector<Block> blocks_in(const Conversation& conversation) {
    std::vector<Block> blocks;
    for (const transcript::Turn& turn : conversation.turns) {
      std::ranges::copy(turn.blocks, std::back_inserter(blocks));
    }
    return blocks;
  }
  static std::string json_of(Block block, bool is_torn) {
    block.start = block.stop = {};
    auto* result = std::get_if<transcript::ToolResult>(&block.body);
    if (is_torn && result != nullptr) {
      result->call_id.clear();
      result->name.clear();
    }
    std::string json;
    formats::anthropic::append_block(json, block, formats::anthropic::WithModel::no);
    return canonical_json(parse_json(json)->value);
  }

  // What a request may lose or gain: a program's words become the user's and the other way; a
  // file with words becomes words or a document; results without a call are left out, and calls
  // without one get an answer. All these are counted in the notes, or add to what was there.
  static void compare(const Conversation& conversation, const Conversation& again,
                      const formats::Written& written, std::size_t longest_name) {
    const Substance before = substance_of(conversation, longest_name);
    const Substance after = substance_of(again, longest_name);
    EXPECT_EQ(after.calls, before.calls);
    EXPECT_EQ(after.from_model, before.from_model);
    EXPECT_TRUE(without(before.to_model, after.to_model).empty())
        << *without(before.to_model, after.to_model).begin();
    EXPECT_LE(without(before.results, after.results).size(),
              noted(written, "result without its call"));
  }

  crypto::Keyring keyring;
  std::size_t checked = 0;
};

std::vector<fs::path> files_of(const std::string& format) {
  const fs::path root = fs::path(WEFT_SOURCE_DIR) / "tests/fixtures" / format;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const bool is_broken = entry.path().filename().string().starts_with("broken-");
    if (entry.is_regular_file() && !is_broken) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

TEST_P(EveryFormat, ComesBackInEveryForm) {
  Shelf shelf(keyring);
  std::string name = GetParam();
  std::ranges::replace(name, '_', '-');
  for (const fs::path& file : files_of(GetParam())) {
    SCOPED_TRACE(file.string());
    for (const Cid& cid : shelf.ingest(file, name)) {
      const Conversation conversation = shelf.rebuilt(cid);
      for (const std::string_view form : formats::all_forms()) {
        SCOPED_TRACE(form);
        check(conversation, form);
      }
    }
  }
  EXPECT_GT(checked, 0u);
}

// Real ones, as many as are beside the project: valid, and no word lost.
TEST_P(EveryFormat, AndSoDoRealOnes) {
  static const std::map<std::string, std::string> kFolders = {
      {"anthropic_messages", "anthropic-api"},
      {"chatgpt_export", "chatgpt-export"},
      {"claude_agent_sdk", "claude-agent-sdk"},
      {"claude_code", "claude-code/recorded"},
      {"claude_export", "claude-ai-export"},
      {"codex", "codex-cli/recorded"},
      {"copilot", "copilot-cli"},
      {"gemini", "gemini-cli/recorded"},
      {"kimi", "kimi/MoonshotAI__kimi-code"},
      {"litellm", "litellm"},
      {"openai", "openai-api"},
      {"opencode", "opencode/recorded"},
      {"pi", "openclaw-pi/badlogic__pi-mono"},
      {"qwen", "other-agents/recorded"}};
  const auto found = kFolders.find(GetParam());
  if (found == kFolders.end()) GTEST_SKIP() << "none of its own";
  const fs::path root = fs::path(WEFT_SOURCE_DIR).parent_path() / "shared/fixtures" / found->second;
  if (!fs::exists(root)) GTEST_SKIP() << "no fixtures beside the repository";
  Shelf shelf(keyring);
  constexpr std::size_t kMost = 60;
  std::size_t number = 0;
  for (const Cid& cid : shelf.ingest(root)) {
    if (++number > kMost) break;
    const Conversation conversation = shelf.rebuilt(cid);
    for (const std::string_view form : formats::all_forms()) {
      SCOPED_TRACE(conversation.heading.session_id + " as " + std::string(form));
      check(conversation, form);
    }
  }
  EXPECT_GT(checked, 0u);
}

std::vector<std::string> formats_with_fixtures() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(WEFT_SOURCE_DIR) / "tests/fixtures")) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Of, EveryFormat, testing::ValuesIn(formats_with_fixtures()),
                         [](const auto& param) { return param.param; });

}  // namespace
}  // namespace weft
