#include "weft/formats/adapters/anthropic_transcript/sections.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/adapters/anthropic_transcript/labels.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::anthropic {
namespace {

using transcript::Sink;

// A record with more lines that mean nothing is no list of metadata.
constexpr int kMaxUnmapped = 100;

bool is_time_key(std::string_view key) {
  return key == "timestamp" || key == "time" || key == "date" || key == "created" ||
         key == "created_at";
}

// Something that a section says of itself. False if the key means nothing there.
bool set_in_section(Section& section, std::string_view key, std::string_view value) {
  if (key == "model") {
    section.model = std::string(value);
  } else if (key == "message" || key == "message_id") {
    section.message_id = std::string(value);
  } else if (is_time_key(key)) {
    section.recorded = parse_iso8601(value);
    return section.recorded.has_value();
  } else {
    return false;
  }
  return true;
}

class SectionParser {
 public:
  SectionParser(const Record& record, const OnMetadata& metadata, const OnSection& section,
                Sink& sink)
      : lines_(record.text, record.line), metadata_(metadata), section_(section), sink_(sink) {}

  void parse() {
    bool is_lost = false;  // in text that no role announces; reported once
    while (const auto line = lines_.next()) {
      if (const auto role = role_line(*line)) {
        is_lost = false;
        parse_section(*role, line->number);
      } else if (!is_lost && !line->text.empty()) {
        is_lost = !parse_preamble(*line);
      }
    }
  }

 private:
  // A line before the role. False if it cannot stand there.
  bool parse_preamble(const Line& line) {
    const auto label = label_of(line.text);
    if (label && label->key != "content") {
      if (label->value) return take_metadata(*label, line.number);
      if (!is_content_next()) return true;  // a title left empty
      sink_.skip({line.number, "malformed: unknown role"});
      section_({});
      return false;
    }
    sink_.skip({line.number, "malformed: no role"});
    return false;
  }

  // False if there is too much that means nothing.
  bool take_metadata(const Label& label, std::uint64_t line) {
    if (metadata_(label.key, *label.value, line)) return true;
    if (unmapped_ >= kMaxUnmapped) return false;
    ++unmapped_;
    sink_.skip({line, unmapped_ < kMaxUnmapped ? "unmapped metadata" : "malformed: no role"});
    return unmapped_ < kMaxUnmapped;
  }

  bool is_content_next() const {
    Lines ahead = lines_;
    auto line = ahead.next();
    while (line && line->text.empty()) line = ahead.next();
    return line && is_content(line->text);
  }

  static bool is_content(std::string_view line) {
    const auto label = label_of(line);
    return line.starts_with('[') || (label && label->key == "content");
  }

  void parse_section(transcript::Role role, std::uint64_t role_line_number) {
    Section section{.role = role};
    const auto start = find_content(section);
    if (!start) {
      sink_.skip({role_line_number, "empty"});
    } else {
      const Content content = take_content(*start);
      section.items = parse_content(content.text, content.line, sink_);
    }
    section_(std::move(section));
  }

  struct Content {
    std::string_view text;
    std::uint64_t line = 0;
  };

  // Reads on to where the content begins; empty if there is none before the next role.
  std::optional<Content> find_content(Section& section) {
    while (const auto line = lines_.peek()) {
      if (role_line(*line)) return std::nullopt;
      lines_.next();
      if (line->text.empty()) continue;
      const auto label = label_of(line->text);
      if (label && label->key == "content") {
        return Content{lines_.from(line->begin + line->text.find(':') + 1), line->number};
      }
      if (!label) return Content{lines_.from(line->begin), line->number};
      if (!label->value || set_in_section(section, label->key, *label->value)) continue;
      take_metadata(*label, line->number);
    }
    return std::nullopt;
  }

  // All up to the next role line. No line of JSON looks like one.
  Content take_content(Content start) {
    auto line = lines_.peek();
    while (line && !role_line(*line)) {
      lines_.next();
      line = lines_.peek();
    }
    const std::size_t rest = line ? lines_.from(line->begin).size() : 0;
    start.text.remove_suffix(rest);
    const std::size_t first = std::min(start.text.find_first_not_of(kBlanks), start.text.size());
    start.line += static_cast<std::uint64_t>(std::ranges::count(start.text.substr(0, first), '\n'));
    start.text = trim(start.text);
    return start;
  }

  Lines lines_;
  const OnMetadata& metadata_;
  const OnSection& section_;
  Sink& sink_;
  int unmapped_ = 0;
};

}  // namespace

void parse_sections(const Record& record, const OnMetadata& metadata, const OnSection& section,
                    Sink& sink) {
  SectionParser(record, metadata, section, sink).parse();
}

}  // namespace weft::formats::anthropic
