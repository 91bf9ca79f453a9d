// CodeLog: reads Kimi Code's log of one agent; the format is described in code.cpp.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/adapters/kimi/kimi.hpp"
#include "weft/formats/reading/recent.hpp"

namespace weft::formats::kimi {

class CodeLog final : public Log {
 public:
  explicit CodeLog(const SourceInfo& info);

  void read(const JsonRecord& record, const json::object& line, transcript::Sink& sink) override;
  void finish(transcript::Sink& /*sink*/) override {}
  void archive(StateArchive& a) override;

 private:
  // Prompts whose message has not come. If more wait at once, the first is emitted twice.
  static constexpr std::size_t kMostExpected = 16;
  // Names of parts. One that is repeated after that many others is emitted again, in its old place.
  static constexpr std::size_t kMostSeen = 256;
  // Calls that may have spawned an agent. One that answers after that many others is not joined.
  static constexpr std::size_t kMostSpawning = 64;
  static constexpr std::size_t kMostTools = 512;

  struct Line {
    const JsonRecord& record;
    const json::object& line;
    std::optional<Millis> time{};
    std::string id{};    // of its own; else it is counted
    std::string step{};  // that it belongs to
  };

  void begin(std::string_view raw, transcript::Sink& sink);
  void read_prompt(const Line& at, bool begins_turn, transcript::Sink& sink);
  void emit_prompt(const Line& at, const json::value* content, bool is_person,
                   transcript::Sink& sink);
  void read_message(const Line& at, transcript::Sink& sink);
  void read_config(const Line& at, transcript::Sink& sink);
  void read_tools(const Line& at, transcript::Sink& sink);
  // The loop of the model; in code_loop.cpp.
  void read_event(Line at, transcript::Sink& sink);
  void read_call(Line& at, const json::object& event, transcript::Sink& sink);
  void read_result(Line& at, const json::object& event, transcript::Sink& sink);
  // False if there is none.
  bool add_usage(const json::object& object, std::optional<Millis> time, transcript::Sink& sink);
  void emit(const Line& at, std::vector<AuthoredBlock> blocks, transcript::Sink& sink);

  SourceInfo info_;
  Place place_;
  TurnBuilder builder_;
  UsageSum usage_;
  Recent seen_{kMostSeen}, spawning_{kMostSpawning};
  std::deque<std::string> expected_;
  std::string model_;          // of the next blocks
  std::string step_;           // that is running
  std::string system_prompt_;  // its hash
  std::string first_;          // names the session if its folder does not
  transcript::Facts known_;    // of state.json, and cwd, as last emitted
  bool has_looked_ = false;    // at state.json, since it was opened
};

}  // namespace weft::formats::kimi
