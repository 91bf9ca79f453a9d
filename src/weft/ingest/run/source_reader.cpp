#include "weft/ingest/run/source_reader.hpp"

#include <algorithm>
#include <cstring>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"

namespace weft::ingest {
namespace {

// memchr, because std::count looks at every byte by itself.
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

// Passes on main conversations alone.
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
  void block(transcript::Block&& block) override {
    if (passes_) weaver_->block(std::move(block));
  }
  void facts(const transcript::Facts& facts) override {
    if (passes_) weaver_->facts(facts);
  }
  void request(const transcript::Request& request) override {
    if (passes_) weaver_->request(request);
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
                           const weave::KnownWeb& known_web)
    : session_(adapter, info, identities, known_web), framer_(adapter.frame(head)) {}

SourceReader::~SourceReader() = default;

void SourceReader::leave_out_subagents() { filter_ = std::make_unique<Filter>(weaver()); }

transcript::Sink& SourceReader::sink() {
  if (filter_) return *filter_;
  return weaver();
}

Result<bool> SourceReader::resume(std::string_view state, std::uint64_t lines) {
  const Result<ParsedJson> parsed = parse_json(state);
  WEFT_TRY_VALUE(const bool is_resumed,
                 session_.resume(parsed ? parsed->value.if_object() : nullptr));
  if (filter_) filter_->reset(weaver());
  if (is_resumed) lines_before_ = lines_ = lines;
  return is_resumed;
}

void SourceReader::read(const formats::Record& record) {
  if (lines_before_ == 0) return session_.reader().read(record, sink());
  formats::Record placed = record;
  placed.line += lines_before_;
  session_.reader().read(placed, sink());
}

void SourceReader::push(std::string_view bytes) {
  framer_->push(
      bytes, [this](const formats::Record& record) { read(record); },
      [this](std::uint64_t line, std::uint64_t size) {
        weaver().skip(formats::skipped_oversize(lines_before_ + line, size));
      });
  if (const std::size_t last = bytes.rfind('\n'); last != std::string_view::npos) {
    woven_ = pushed_ + last + 1;
    lines_ += count_lines(bytes);
  }
  pushed_ += bytes.size();
}

void SourceReader::end(KeepState keep) {
  framer_->end(
      [this](const formats::Record& record) {
        // Its tool may still be writing it.
        if (is_resumable() && record.cut && !is_whole_json(record.text)) {
          weaver().skip({lines_before_ + record.line, "incomplete: the last line has no end yet"});
          return;
        }
        read(record);
        woven_ = pushed_;
      },
      [this](std::uint64_t line, std::uint64_t size) {
        weaver().skip(formats::skipped_oversize(lines_before_ + line, size));
      });
  if (keep == KeepState::yes) final_state_ = state();
  has_ended_ = true;
  session_.reader().finish(sink());
}

std::string SourceReader::state() const {
  if (!is_resumable()) return {};
  if (has_ended_) return final_state_;
  return canonical_json(session_.save());
}

}  // namespace weft::ingest
