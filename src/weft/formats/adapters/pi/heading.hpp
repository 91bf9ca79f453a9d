// The heading of a pi session: its id, its title, and the session that it comes from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/pi/session.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats::pi {

class HeadingBuilder {
 public:
  HeadingBuilder(Dialect dialect, const SourceInfo& info);

  // Whether the heading is settled: by a header, or by the first entry where there is none.
  bool has_begun() const { return has_begun_; }
  const std::string& session_id() const { return heading_.session_id; }
  // Whether it is a subagent's session: its prompts are a program's. omp keeps these in a folder
  // that is named as their parent's file.
  bool is_subagent() const;

  // Reads omp's title line, which comes before the header. False if it has no title.
  bool read_title(const json::object& line);
  void begin_with_header(const json::object& header, std::string_view text, transcript::Sink& sink);
  // The session is named by the hash of its first record's text.
  void begin_without_header(std::string_view text, transcript::Sink& sink);
  // Emits the heading to a sink that is new to it.
  void resume(transcript::Sink& sink);
  // Reports a file with a title and nothing else as skipped.
  void finish(transcript::Sink& sink) const;

  void archive(StateArchive& a);

 private:
  void begin(std::string_view session_id, std::string_view text, transcript::Sink& sink);
  void emit_origins(const json::object& header, transcript::Sink& sink) const;

  Dialect dialect_;
  SourceInfo info_;
  transcript::Heading heading_;
  bool has_begun_ = false;
  std::optional<std::string> title_;  // until the heading is emitted
  bool is_emitted_ = false;           // to the sink at hand: not after archive() has read it
};

}  // namespace weft::formats::pi
