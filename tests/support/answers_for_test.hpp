// Every answer that the owner reads about a store, as one text, and a stranger who attacks it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "web_for_test.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/ingest/import.hpp"
#include "weft/query/questions.hpp"
#include "weft/query/sessions/sessions.hpp"
#include "weft/query/transcript/entries.hpp"
#include "weft/query/transcript/rebuild.hpp"
#include "weft/store/stranger_for_test.hpp"
#include "weft/thought/identities.hpp"

namespace weft {

// About the owner's conversations alone, by the name of the question. A question that fails is
// answered by its error.
class Answers {
 public:
  explicit Answers(const Web& web) : store_(web.open()), library_(*store_, &web.keyring) {
    for (const store::ConversationRow& row : library_->web.conversations({}).value()) {
      const Result<thought::Thought> talk = library_->web.get(row.cid);
      const Cid owner = thought::owner_identity(web.keyring).cid;
      if (talk && talk->created_by == owner) add(row);
    }
    note_own("search", query::search(library_, {.query = "quokka"}));
    note_own("search turns", query::search_turns(library_, {.query = "quokka"}));
  }
  const std::map<std::string, std::string>& all() const { return all_; }

 private:
  void add(const store::ConversationRow& row) {
    const std::string name = row.cid.brief() + " ";
    note(name + "listed", query::describe(library_, row));
    note(name + "walk", query::walk_answer(library_, row, {}));
    note(name + "stats", query::stats(library_, row));
    note(name + "read", query::read_session(library_, row, 0, 10, 1'000'000));
    json::array entries;
    const auto transcript = query::entries(library_, row, {});
    EXPECT_TRUE(transcript) << transcript.error().message;
    if (transcript) {
      for (const transcript::TranscriptEntry& entry : *transcript) {
        entries.push_back(transcript::to_json(entry));
      }
    }
    all_[name + "transcript"] = canonical_json(entries);
    for (const std::string_view form :
         {"anthropic-messages", "openai-messages", "anthropic-transcript"}) {
      const auto rebuilt = query::rebuild(library_, row, {});
      ASSERT_TRUE(rebuilt) << rebuilt.error().message;
      const auto written = formats::find_form(form)->write(rebuilt->conversation);
      ASSERT_TRUE(written) << written.error().message;
      all_[name + std::string(form)] = written->text;
    }
    std::string exported;
    std::vector<Cid> blocks;
    EXPECT_TRUE(store_->each_of(row.cid, [&](const thought::Thought& thought) {
      exported += canonical_json(thought::to_json(thought)) + "\n";
      if (thought::kind_of(thought.type) == "response" || thought.because.empty()) {
        blocks.push_back(thought.cid);
      }
      return true;
    }));
    all_[name + "thoughts"] = exported;
    for (const Cid& block : blocks) {
      note(name + "why " + block.brief(), query::why_answer(library_, block, {}));
    }
  }
  // The owner's results in order, without scores: these depend on how common a word is in all of
  // the store.
  void note_own(const std::string& name, const Result<json::object>& answer) {
    ASSERT_TRUE(answer) << answer.error().message;
    json::array own;
    for (const json::value& value : *find_array(*answer, "results")) {
      json::object result = value.as_object();
      if (find_bool(result, "foreign").value_or(false)) continue;
      result.erase("score");
      own.push_back(std::move(result));
    }
    EXPECT_FALSE(own.empty()) << name;
    all_[name] = canonical_json(own);
  }
  void note(const std::string& name, const Result<json::object>& answer) {
    all_[name] = answer ? canonical_json(*answer) : answer.error().message;
  }

  std::unique_ptr<store::Store> store_;
  query::PinnedLibrary library_;
  std::map<std::string, std::string> all_;
};

inline std::string to_lines(const std::vector<thought::Thought>& thoughts) {
  std::string lines;
  for (const thought::Thought& thought : thoughts) {
    lines += canonical_json(thought::to_json(thought)) + "\n";
  }
  return lines;
}

// The blocks and turns of the only conversation of a web.
struct Landmarks {
  explicit Landmarks(const Web& web) {
    const auto store = web.open();
    const store::ConversationRow row = store->conversations({}).value().front();
    talk = row.cid;
    session = row.session_id;
    checkpoint = row.checkpoint.value();
    turns = store->neighbours(talk, "contains", store::Direction::from).value();
    for (const Cid& turn : turns) {
      for (const Cid& cid : store->neighbours(turn, "contains", store::Direction::from).value()) {
        blocks.emplace(thought::kind_of(store->get(cid)->type), cid);  // the first of its kind
      }
    }
  }
  Cid block(const std::string& kind) const { return blocks.at(kind); }

  Cid talk, checkpoint;
  std::string session;
  std::vector<Cid> turns;
  std::map<std::string, Cid> blocks;
};

}  // namespace weft
