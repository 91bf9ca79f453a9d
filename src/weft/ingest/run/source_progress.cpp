#include "weft/ingest/run/source_progress.hpp"

#include <algorithm>
#include <utility>

#include "weft/weave/weave_version.hpp"

namespace weft::ingest {

void UnarchivedBytes::append(std::string_view bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    if (segments_.empty() || segments_.back().size() == kSegmentBytes) segments_.emplace_back();
    std::string& last = segments_.back();
    const std::string_view piece = bytes.substr(0, kSegmentBytes - last.size());
    last += piece;
    bytes.remove_prefix(piece.size());
  }
}

std::vector<std::string> UnarchivedBytes::take() {
  size_ = 0;
  return std::exchange(segments_, {});
}

void SourceProgress::archive(std::string_view bytes) {
  const std::size_t known = std::min<std::size_t>(already_there, bytes.size());
  already_there -= known;
  unarchived.append(bytes.substr(known));
}

SourceProgress begin_source(const SourceSeal& seal, std::size_t file,
                            const std::optional<store::Source>& known,
                            const SourceDescription& about) {
  SourceProgress progress{.file = file, .source = {}};
  store::Source& source = progress.source;
  if (known) {
    progress.keeps_nothing = keeps_nothing(*known);
    source = *known;
    source.generation += known->archived > 0 ? 1 : 0;
  } else {
    source.key = seal.key(about.path);
  }
  source.format = about.format;
  source.offset = source.lines = source.archived = 0;
  source.about = seal.seal_description(source.key, about);
  source.state.clear();
  const formats::Adapter* adapter = formats::find_adapter(about.format);
  source.adapter_version = adapter == nullptr ? 0 : adapter->version;
  source.weave_version = weave::kWeaveVersion;
  return progress;
}

void add_update(RunContext& run, SourceProgress& progress, const std::string& state, SourceEnd end,
                UnitRange units) {
  store::Source& source = progress.source;
  source.ingested_at = run.options.clock();
  source.state = state.empty() ? std::string() : run.seal.seal_state(source.key, state);
  store::SourceUpdate update{.source = source,
                             .is_whole = end == SourceEnd::yes,
                             .keeps_nothing = progress.keeps_nothing,
                             .conversations = progress.conversations};
  if (progress.keeps_nothing) {
    update.source.offset = update.source.lines = update.source.archived = 0;
    update.source.state.clear();
    progress.unarchived.clear();
    run.is_scrub_due = true;
  }
  const std::size_t index = run.queue.add_source(std::move(update), progress.file);
  std::vector<std::string> segments = progress.unarchived.take();
  for (std::size_t part = 0; part < segments.size(); ++part) {
    run.queue.add_segment({.source = index,
                           .seq = progress.next_seq++,
                           .bytes = std::move(segments[part]),
                           .units = units,
                           .part = part,
                           .parts = segments.size()});
  }
  ++source.revision;  // as the commit will leave it
}

}  // namespace weft::ingest
