#include "weft/ingest/run/source_reader.hpp"

#include <algorithm>
#include <cstring>

#include "weft/base/utf8.hpp"

namespace weft::ingest {
namespace {

// std::count looks at every byte by itself.
std::uint64_t count_lines(std::string_view bytes) {
  std::uint64_t lines = 0;
  while (const void* found = std::memchr(bytes.data(), '\n', bytes.size())) {
    ++lines;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    bytes.remove_prefix(at + 1);
    if (bytes.empty()) break;
  }
  return lines;
}

bool is_whole_json(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  return parse_json(repair_json(text, storage, repairs)).has_value();
}

}  // namespace

// Passes on what is said in main conversations alone.
class SourceReader::Filter final : public transcript::Sink {
 public:
  explicit Filter(weave::Weaver& weaver) : weaver_(&weaver) {}
  void reset(weave::Weaver& weaver) { weaver_ = &weaver; }

  void heading(const transcript::Heading& heading) override {
    passes_ = heading.source == "primary";
    if (passes_) weaver_->heading(heading);
  }
  void turn(const transcript::TurnHead& head) override {
    if (passes_) weaver_->turn(head);
  }
  void block(transcript::Block block) override {
    if (passes_) weaver_->block(std::move(block));
  }
  void facts(const transcript::Facts& facts) override {
    if (passes_) weaver_->facts(facts);
  }
  void origin(const transcript::Origin& origin) override {
    if (passes_) weaver_->origin(origin);
  }
  void spawned(const transcript::Spawned& spawned) override {
    if (passes_) weaver_->spawned(spawned);
  }
  void skip(transcript::Skipped skipped) override { weaver_->skip(std::move(skipped)); }
  void repaired(std::size_t count) override { weaver_->repaired(count); }

 private:
  weave::Weaver* weaver_;
  bool passes_ = false;
};

SourceReader::SourceReader(const formats::Adapter& adapter, const formats::SourceInfo& info,
                           std::string_view head, thought::Identities& identities,
                           const weave::KnownWeb& memory)
    : adapter_(adapter),
      identities_(identities),
      known_web_(memory),
      info_(info),
      weaver_(std::make_unique<weave::Weaver>(identities, memory)),
      framer_(adapter.frame(head)),
      reader_(adapter.open(info)) {}

SourceReader::~SourceReader() = default;

void SourceReader::leave_out_subagents() { filter_ = std::make_unique<Filter>(*weaver_); }

transcript::Sink& SourceReader::sink() {
  if (filter_) return *filter_;
  return *weaver_;
}

bool SourceReader::resume(std::string_view state, std::uint64_t lines) {
  const Result<ParsedJson> parsed = parse_json(state);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  const json::object* weaver = object == nullptr ? nullptr : find_object(*object, "weaver");
  const std::optional<std::string_view> reader =
      object == nullptr ? std::nullopt : find_string(*object, "reader");
  if (weaver != nullptr && reader && reader_->restore(*reader) && weaver_->restore(*weaver)) {
    lines_before_ = lines;
    lines_ = lines;
    return true;
  }
  weaver_ = std::make_unique<weave::Weaver>(identities_, known_web_);
  if (filter_) filter_->reset(*weaver_);
  reader_ = adapter_.open(info_);
  return false;
}

void SourceReader::read(const formats::Record& record) {
  if (lines_before_ == 0) return reader_->read(record, sink());
  formats::Record placed = record;
  placed.line += lines_before_;
  reader_->read(placed, sink());
}

void SourceReader::push(std::string_view bytes) {
  framer_->push(
      bytes, [this](const formats::Record& record) { read(record); },
      [this](std::uint64_t line, std::uint64_t size) {
        weaver_->skip(formats::skipped_oversize(lines_before_ + line, size));
      });
  if (const std::size_t last = bytes.rfind('\n'); last != std::string_view::npos) {
    woven_ = pushed_ + last + 1;
    lines_ += count_lines(bytes);
  }
  pushed_ += bytes.size();
}

void SourceReader::end() {
  framer_->end(
      [this](const formats::Record& record) {
        // Its tool may be in the midst of writing it.
        if (goes_on() && record.cut && !is_whole_json(record.text)) {
          weaver_->skip({lines_before_ + record.line, "incomplete: the last line has no end yet"});
          return;
        }
        read(record);
        woven_ = pushed_;
      },
      [this](std::uint64_t line, std::uint64_t size) {
        weaver_->skip(formats::skipped_oversize(lines_before_ + line, size));
      });
  final_state_ = state();
  has_ended_ = true;
  reader_->finish(sink());
}

std::string SourceReader::state() const {
  if (!goes_on()) return {};
  if (has_ended_) return final_state_;
  return canonical_json(json::object{{"reader", reader_->save()}, {"weaver", weaver_->save()}});
}

}  // namespace weft::ingest
