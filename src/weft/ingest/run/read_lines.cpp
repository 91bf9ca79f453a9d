// Reads conversations that are no logs: rows of another tool's database, and trees of files. Both
// are turned into JSON lines, which are read and archived as those of a log.
#include "weft/ingest/run/read_sources.hpp"
#include "weft/ingest/run/source_ingest.hpp"
#include "weft/ingest/run/source_rules.hpp"
#include "weft/ingest/source/database_file.hpp"

namespace weft::ingest {
namespace {

constexpr std::uint64_t kMostTreeBytes = 16u << 20;

// A conversation of a database on its way into the store.
class EntryReader {
 public:
  EntryReader(RunContext& run, const OpenedFile& opened, const DatabaseFile& database,
              const DatabaseFile::Recognised& format)
      : run_(run), opened_(opened), database_(database), format_(format) {}

  void read(const DatabaseFile::Entry& entry);

 private:
  // A source from its beginning, or resumed behind the row that `cursor` names.
  SourceIngest open(const DatabaseFile::Entry& entry, const SourceDescription& about,
                    const std::optional<store::Source>& known, std::int64_t& cursor);

  RunContext& run_;
  const OpenedFile& opened_;
  const DatabaseFile& database_;
  const DatabaseFile::Recognised& format_;
};

SourceIngest EntryReader::open(const DatabaseFile::Entry& entry, const SourceDescription& about,
                               const std::optional<store::Source>& known, std::int64_t& cursor) {
  const formats::Adapter& adapter = *format_.adapter;
  formats::SourceInfo info = source_info(run_.options, opened_.path, about.project, adapter);
  info.name = entry.name;
  auto reader = open_reader(run_, adapter, info, "");
  SourceProgress progress = begin_source(run_.seal, opened_.listed.number, known, about);
  if (known && !opened_.listed.is_reread && !format_.shape->rewrites) {
    const Result<std::string> state = run_.seal.open_state(known->key, known->state);
    const Result<bool> is_resumed = state ? reader->resume(*state, known->lines) : false;
    if (!is_resumed) {
      run_.queue.fail(is_resumed.error());
    } else if (*is_resumed) {
      progress = SourceProgress{.file = opened_.listed.number, .source = *known};
      cursor = static_cast<std::int64_t>(known->offset);
      if (const auto last = run_.store.sources().last_segment(known->key, known->generation);
          last && *last) {
        progress.next_seq = (*last)->seq + 1;
      }
    }
  }
  return {run_, std::move(reader), std::move(progress), opened_.listed.shown() + "!" + entry.name};
}

void EntryReader::read(const DatabaseFile::Entry& entry) {
  const formats::Adapter& adapter = *format_.adapter;
  const std::string shown = opened_.listed.shown() + "!" + entry.name;
  SourceDescription about{
      .format = std::string(adapter.name), .path = opened_.path + "!" + entry.name, .project = {}};
  if (adapter.project != nullptr) about.project = adapter.project(opened_.path, "");
  if (!is_selected(run_, opened_.listed, about)) return;
  const auto known = run_.store.sources().find(run_.seal.key(about.path));
  if (!known) return run_.report.skip(shown, 0, known.error().message);
  const std::string stamp = run_.seal.fingerprint(entry.stamp, "");
  if (!opened_.listed.is_reread && *known && (*known)->fingerprint == stamp) {
    if (const Result<std::vector<Cid>> there =
            run_.store.sources().conversations_in((*known)->key)) {
      run_.report.add_conversations(*there);
    }
    return;
  }
  std::int64_t cursor = 0;
  SourceIngest source = open(entry, about, *known, cursor);
  const auto set_position = [&](store::Source& row, SourceEnd end) {
    row.offset = static_cast<std::uint64_t>(cursor);
    row.lines = source.reader().lines();
    row.device = opened_.file.state().device;
    row.inode = 0;  // the file holds many sources, so its inode names none
    row.size = row.archived;
    row.modified_ns = 0;
    row.fingerprint = end == SourceEnd::yes ? stamp : std::string();
  };
  std::uint64_t bytes = 0;
  const auto read_line = [&](std::int64_t at, std::string_view line) {
    if (run_.is_stopped()) return;
    std::string text;  // a line may have kMaxRecordBytes
    text.reserve(line.size() + 1);
    text.append(line) += '\n';
    bytes += text.size();
    cursor = at;
    source.push(text);
    source.archive(text);
    source.commit_if_full(set_position);
  };
  const Status read = database_.lines(*format_.shape, entry.name, cursor, read_line);
  if (!read) return run_.report.skip(shown, 0, read.error().message);
  if (run_.report.is_stopped()) return;
  source.finish(set_position);
  run_.report.count_files(0, bytes);
}

}  // namespace

void read_database(RunContext& run, const OpenedFile& opened) {
  const std::string shown = opened.listed.shown();
  const Result<DatabaseFile> database = DatabaseFile::open(opened.file);
  if (!database) return run.report.skip(shown, 0, database.error().message);
  const Result<DatabaseFile::Recognised> format = database->recognise();
  if (!format) return run.report.skip(shown, 0, format.error().message);
  if (format->adapter == nullptr) {
    return run.report.skip(shown, 0, "no known format: a database of another kind");
  }
  const Result<std::vector<DatabaseFile::Entry>> entries = database->conversations(*format->shape);
  if (!entries) return run.report.skip(shown, 0, entries.error().message);
  EntryReader reader(run, opened, *database, *format);
  for (const DatabaseFile::Entry& entry : *entries) {
    if (run.is_stopped()) return;
    if (format->shape->wins) run.in_databases.emplace(format->adapter, entry.name);
    reader.read(entry);
  }
  if (!entries->empty()) run.report.count_files(1, 0);
  run.report.advance(opened.file.state().size);
}

void read_tree(RunContext& run, const OpenedFile& opened, const formats::Adapter& adapter,
               const SourceDescription& about) {
  const std::string shown = opened.listed.shown();
  const FileState& state = opened.file.state();
  // The tool's own files have a few hundred bytes.
  if (state.size > kMostTreeBytes) {
    return run.report.skip(shown, 0, "too large for a file that stands for a conversation");
  }
  const Result<std::string> text = opened.file.read_at(0, state.size);
  if (!text) return run.report.skip(shown, 0, text.error().message);
  const formats::SourceInfo info = source_info(run.options, about.path, about.project, adapter);
  SourceIngest source(run, open_reader(run, adapter, info, ""),
                      begin_source(run.seal, opened.listed.number, opened.known, about), shown);
  const auto set_position = [&](store::Source& row, SourceEnd end) {
    row.lines = source.reader().lines();
    row.device = state.device;
    row.inode = state.inode;
    row.size = state.size;
    row.modified_ns = end == SourceEnd::yes ? state.modified_ns : 0;
    row.fingerprint.clear();
  };
  std::uint64_t bytes = 0;
  adapter.tree->lines(info, *text, [&](std::string_view line) {
    if (run.is_stopped()) return;
    const std::string whole = std::string(line) + "\n";
    bytes += whole.size();
    source.push(whole);
    source.archive(whole);
    source.commit_if_full(set_position);
  });
  if (run.report.is_stopped()) return;
  source.finish(set_position);
  run.report.advance(state.size);
  if (source.has_conversations()) run.report.count_files(1, bytes);
}

}  // namespace weft::ingest
