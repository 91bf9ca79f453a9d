// Helpers for the tests of `weft search`: a machine on which every kind of block has a word of its
// own, and queries for it.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "forget_for_test.hpp"
#include "program.hpp"
#include "session_for_test.hpp"

namespace weft::test {

struct Planted {
  std::string word, kind;
};
// Sealed by default: thinking, with C, and its summary, with M.
inline const Planted kThinking{"Fenwharrow", "thinking"};
inline const Planted kThinkingSummary{"Gramsquill", "thinking_summary"};
inline const std::array<Planted, 9> kClear = {{{"Brindlewick", "human_input"},
                                               {"Corvanthel", "response"},
                                               {"Dastrimole", "tool_request"},
                                               {"Elphandrus", "tool_result"},
                                               {"Hylowmerst", "compaction"},
                                               {"Ipsidrane", "summary"},
                                               {"Jorvestine", "response"},        // of a subagent
                                               {"Kestleburn", "attachment"},      // of the harness
                                               {"Lumbraxine", "tool_request"}}};  // an artifact

inline const std::string kLooms = "11111111-1111-4111-8111-111111111111";
inline const std::string kLoomsSession = "claude-code:" + kLooms;

// On 2026-02-02, in /home/ada/looms. Three of its blocks speak of the weaver.
inline Session looms_session() {
  Session session(kLooms);
  session.human("The weaver asks for Brindlewick.");
  session.thinks("Perhaps Fenwharrow knows the weaver.");
  session.calls("t1", "Bash", "find Dastrimole");
  session.prints("t1", "Elphandrus is in the attic");
  session.says("Corvanthel answers the weaver.");
  session.attaches("notes.md", "Kestleburn is written here");
  session.compacts("So far Hylowmerst was talked about.");
  session.calls("t2", "Task", "look in the attic");
  session.prints("t2", "done", json::object{{"agentId", "a7"}, {"status", "completed"}});
  session.human("And the shuttle?");
  session.says("It lies in the attic, too.");
  session.sums_up("Ipsidrane and other things");
  return session;
}

inline Session looms_subagent() {
  Session session(kLooms);
  session.make_subagent("a7");
  session.human("look in the attic");
  session.says("Jorvestine is there.");
  return session;
}

// On 2026-02-01. Its first block speaks of the weaver.
inline constexpr std::string_view kNightTalk = R"(Title: At night
Model: claude-x
Session: night

Human:
Content:
[{"type":"text","text":"Does the weaver sleep?","start_timestamp":"2026-02-01T22:00:00Z","stop_timestamp":"2026-02-01T22:00:00Z"}]

================================================================================
Assistant:
Content:
[{"type":"thinking","thinking":"Everybody does.","summaries":[{"summary":"Gramsquill was weighed."}],"start_timestamp":"2026-02-01T22:00:01Z","stop_timestamp":"2026-02-01T22:00:02Z"},
{"type":"text","text":"Yes.","start_timestamp":"2026-02-01T22:00:03Z","stop_timestamp":"2026-02-01T22:00:04Z"}]

================================================================================
)";

// On 2026-03-02. Its first block speaks of the weaver.
inline constexpr std::string_view kDrawing =
    R"([{"uuid":"drawing","name":"A drawing","created_at":"2026-03-02T09:00:00Z","updated_at":"2026-03-02T09:06:00Z","account":{"uuid":"a"},"chat_messages":[
{"uuid":"m1","text":"Draw the weaver","content":[{"type":"text","text":"Draw the weaver"}],"sender":"human","created_at":"2026-03-02T09:00:01Z","updated_at":"2026-03-02T09:00:01Z","attachments":[],"files":[]},
{"uuid":"m2","text":"","content":[{"type":"tool_use","name":"artifacts","input":{"id":"d","type":"text/markdown","title":"Drawing","command":"create","content":"Lumbraxine drawn"}},{"type":"tool_result","name":"artifacts","content":[{"type":"text","text":"OK"}],"is_error":false},{"type":"text","text":"There."}],"sender":"assistant","created_at":"2026-03-02T09:00:05Z","updated_at":"2026-03-02T09:00:05Z","attachments":[],"files":[]}]}]
)";

// A machine with all of it ingested.
struct Looms : Weft {
  explicit Looms(const std::vector<std::string>& init = {"init"}, std::string_view config = {}) {
    EXPECT_EQ((*this)(init).exit, 0);
    if (!config.empty()) write_to(home() / "config.json", config);
    write_to(file(), looms_session().text());
    write_to(transcripts() / kLooms / "subagents/agent-a7.jsonl", looms_subagent().text());
    write_to(transcripts() / "night.txt", kNightTalk);
    write_to(transcripts() / "conversations.json", kDrawing);
    ingest();
  }

  std::filesystem::path transcripts() const { return scratch() / "transcripts"; }
  std::filesystem::path file() const { return transcripts() / (kLooms + ".jsonl"); }
  static void write_to(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::create_directories(path.parent_path());
    write_text(path, text);
  }
  void ingest() const {
    const Ran ran = (*this)({"ingest", transcripts().string()});
    EXPECT_EQ(ran.exit, 0) << ran;
  }

  // A keyring that opens this layer and signs nothing. Its path.
  std::string exported_keys(const std::string& layer) const {
    const Ran exported = (*this)({"keys", "export", "--layer", layer});
    EXPECT_EQ(exported.exit, 0) << exported;
    const std::string path = write(layer + ".json", exported.out);
    std::filesystem::permissions(
        path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    return path;
  }
};

// weft search with these words and options: the document.
inline json::object search(const Weft& weft, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"search", "--json"});
  const Ran ran = weft(arguments);
  EXPECT_TRUE(ran.exit == 0 || ran.exit == 1) << ran;
  return ran.object();
}
inline std::int64_t total(const Weft& weft, std::vector<std::string> arguments) {
  return number(search(weft, std::move(arguments)), "total");
}
// The best result, which must be there.
inline json::object best_of(const Weft& weft, std::vector<std::string> arguments) {
  const json::object answer = search(weft, std::move(arguments));
  const json::array results = list(answer, "results");
  EXPECT_FALSE(results.empty()) << canonical_json(answer);
  return results.empty() ? json::object() : results.at(0).as_object();
}

inline std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

// Whether the files of a home contain this word: as written, as an index has it, or without the
// beginning that it may share with the term before it.
inline bool files_hold(const std::filesystem::path& home, const std::string& word) {
  return files_say(home, word) || files_say(home, lower(word)) ||
         files_say(home, lower(word.substr(3)));
}

inline std::vector<std::string> cids_of(const json::object& answer) {
  std::vector<std::string> cids;
  for (const json::value& result : list(answer, "results")) {
    cids.push_back(text(result.as_object(), "cid"));
  }
  return cids;
}

}  // namespace weft::test
