// A crash may leave a line without its end, so that the next record is glued to it. As records
// both are whole; as a line they are not JSON.
#include <utility>

#include "weft/formats/adapters/qwen/places.hpp"
#include "weft/formats/framing/json_value_scanner.hpp"

namespace weft::formats::qwen {
namespace {

class GluedLineFramer final : public Framer {
 public:
  void push(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) override {
    lines_->push(bytes, [&](const Record& line) { split(line, record); }, oversize);
  }
  void end(const OnRecord& record, const OnOversize& oversize) override {
    lines_->end([&](const Record& line) { split(line, record); }, oversize);
  }
  bool is_by_lines() const override { return true; }

 private:
  // Where an object ends and another begins: rare enough to look closer.
  static constexpr std::string_view kSeam = "}{";

  static void split(Record line, const OnRecord& record) {
    std::string_view rest = line.text;
    while (rest.find(kSeam) != std::string_view::npos) {
      JsonValueScanner scanner;
      scanner.start();
      const JsonValueScanner::Step step = scanner.feed(rest);
      if (!step.done || !rest.substr(step.outcome).starts_with(kSeam.substr(1))) break;
      Record first = line;
      first.text = rest.substr(0, step.outcome);
      first.cut = false;
      record(first);
      line.offset += step.outcome;
      rest.remove_prefix(step.outcome);
      line.text = rest;
    }
    record(line);
  }

  std::unique_ptr<Framer> lines_ = line_framer();
};

}  // namespace

std::unique_ptr<Framer> glued_line_framer() { return std::make_unique<GluedLineFramer>(); }

}  // namespace weft::formats::qwen
