#include "weft/formats/adapters/pi/heading.hpp"

#include <utility>

#include "weft/formats/adapters/pi/entry.hpp"
#include "weft/formats/adapters/pi/openclaw_index.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::pi {
namespace {

using transcript::Origin;
using transcript::Sink;

// "2026-07-24T06-21-03-508Z_019f92c8-…", as pi calls its files.
bool is_session_stem(std::string_view name) {
  constexpr std::size_t kTimeLength = 24;
  return name.size() > kTimeLength && name[4] == '-' && name[10] == 'T' && name[kTimeLength] == '_';
}

}  // namespace

HeadingBuilder::HeadingBuilder(Dialect dialect, const SourceInfo& info)
    : dialect_(dialect), info_(info) {
  heading_.format = heading_.family = heading_.program = to_string(dialect);
}

bool HeadingBuilder::is_subagent() const {
  return dialect_ == Dialect::pi && is_session_stem(last_component(info_.directory)) &&
         !is_session_stem(info_.name);
}

bool HeadingBuilder::read_title(const json::object& line) {
  const auto title = find_name(line, "title");
  if (title) title_ = std::string(*title);
  return title.has_value();
}

void HeadingBuilder::begin_with_header(const json::object& header, std::string_view text,
                                       Sink& sink) {
  if (!title_) read_title(header);
  begin(find_name(header, "id").value_or(""), text, sink);
  if (const auto cwd = find_string(header, "cwd")) sink.facts({.cwd = std::string(*cwd)});
  emit_origins(header, sink);
}

void HeadingBuilder::begin_without_header(std::string_view text, Sink& sink) {
  begin("", text, sink);
}

void HeadingBuilder::begin(std::string_view session_id, std::string_view text, Sink& sink) {
  has_begun_ = true;
  heading_.session_id = session_id.empty() ? session_from(text) : std::string(session_id);
  resume(sink);
  if (!info_.project.empty()) sink.facts({.project = info_.project});
  if (dialect_ == Dialect::openclaw && info_.beside) {
    if (const auto index = info_.beside(openclaw::kIndexName)) {
      const openclaw::IndexEntry known = openclaw::find_in_index(*index, heading_.session_id);
      if (!title_) title_ = known.title;
      if (known.origin) sink.origin(*known.origin);
    }
  }
  if (title_) sink.facts({.title = std::exchange(title_, std::nullopt)});
}

void HeadingBuilder::emit_origins(const json::object& header, Sink& sink) const {
  const auto emit = [&](const Origin& origin) {
    const bool is_other = origin.session_id != heading_.session_id;
    if (is_other && !origin.session_id.empty()) sink.origin(origin);
  };
  if (is_subagent()) {
    emit({.kind = Origin::Kind::spawned,
          .session_id = session_of_reference(info_.directory + "/"),
          .agent = info_.name.substr(0, info_.name.rfind(".jsonl"))});
    return;
  }
  for (const std::string_view key : {"parentSession", "branchedFrom"}) {
    const auto parent = find_name(header, key);
    if (parent) emit({Origin::Kind::continued, session_of_reference(*parent)});
  }
}

void HeadingBuilder::resume(Sink& sink) {
  if (!is_emitted_) sink.heading(heading_);
  is_emitted_ = true;
}

void HeadingBuilder::finish(Sink& sink) const {
  if (!has_begun_ && title_) sink.skip({0, "no header"});
}

void HeadingBuilder::archive(StateArchive& a) {
  a.field("begun", has_begun_);
  a.field("session", heading_.session_id);
  a.optional("title", title_);
  if (!a.is_writing()) is_emitted_ = false;
}

}  // namespace weft::formats::pi
