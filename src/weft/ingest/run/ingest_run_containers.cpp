// Files that are packed or hold several: zips, as exports are downloaded, and databases; and
// conversations that are several files.
#include <algorithm>

#include "weft/ingest/run/ingest_run.hpp"

namespace weft::ingest {
namespace {

constexpr std::size_t kChunkBytes = 1u << 20;
constexpr std::string_view kZip = "zip";  // the format of a source that is one

}  // namespace

// A zip is one source: read anew when it changed, and archived as it is.
void IngestRun::take_zip(std::size_t number, const std::string& path, SourceFile& file,
                         const std::optional<store::Source>& known) {
  const std::string shown = files_[number].path.string();
  Result<PackedFile> zip = PackedFile::open(file);
  if (!zip) return skip(shown, 0, zip.error().message);
  SourceProgress taking =
      begin(number, known, {.format = std::string(kZip), .path = path, .project = {}});
  while (true) {
    if (stops()) return;
    const Result<std::optional<std::string>> member = zip->next();
    if (!member) {
      skip(shown, 0, member.error().message);
      break;
    }
    if (!*member) break;
    take_member(**member, *zip, taking);
  }
  if (report_.stopped) return;
  archive_as_it_is(file, taking);
}

// It is never gone on with, so nothing of it is woven again.
void IngestRun::archive_as_it_is(SourceFile& file, SourceProgress& taking) {
  if (taking.conversations.empty()) return;
  std::string buffer;
  file.seek(0);
  while (true) {
    const Result<std::string_view> chunk = file.read(buffer, kChunkBytes);
    if (!chunk || chunk->empty()) break;
    archive(taking, *chunk);
  }
  taking.source.archived = taking.unarchived.size();
  set_read(file, taking, true);
  put_update(taking, "", true);
  if (first_round_) {
    ++report_.files;
    report_.bytes += file.state().size;
  }
  report_progress(file.state().size);
}

void IngestRun::take_member(const std::string& member, PackedFile& zip, SourceProgress& taking) {
  const std::string name = files_[taking.file].path.string() + "!" + member;
  std::string buffer;
  Result<std::string_view> chunk = zip.read(buffer, kChunkBytes);
  if (!chunk) return skip(name, 0, chunk.error().message);
  if (chunk->empty()) return;
  const std::string_view head = formats::head_of(*chunk);
  const Result<const formats::Adapter*> adapter = choose_adapter(files_[taking.file], head);
  if (!adapter) return skip(name, 0, why_unknown(member).value_or(adapter.error().message));
  if (const auto reason = why_left(**adapter, member)) return skip(name, 0, *reason);
  formats::SourceInfo info{.name = std::filesystem::path(member).filename().string(),
                           .model = options_.model};
  SourceReader source_reader(**adapter, info, head, identities_, known_web_);
  SourceProgress part = taking;  // its update is the zip's, at the end
  take_stream(zip, *chunk, source_reader, part, name);
  taking.keeps_nothing = taking.keeps_nothing || part.keeps_nothing;
  taking.conversations.insert(taking.conversations.end(), part.conversations.begin(),
                              part.conversations.end());
}

// All of a stream that begins with `first`.
void IngestRun::take_stream(PackedFile& packed, std::string_view first, SourceReader& source_reader,
                            SourceProgress& taking, const std::string& shown) {
  std::string buffer;
  while (!first.empty()) {
    if (stops()) return;
    source_reader.push(first);
    send_on(source_reader, taking, nullptr);
    const Result<std::string_view> next = packed.read(buffer, kChunkBytes);
    if (!next) skip(shown, 0, next.error().message);
    first = next.value_or(std::string_view());
  }
  source_reader.end();
  finish(source_reader, taking, nullptr, shown);
}

// Tools pack what they are done with: it is read as the file that it was, and archived as it is.
void IngestRun::take_packed(std::size_t number, const std::string& path, SourceFile& file,
                            const std::optional<store::Source>& known) {
  const std::string shown = files_[number].path.string();
  Result<PackedFile> packed = PackedFile::open(file);
  if (!packed) return skip(shown, 0, packed.error().message);
  if (const auto member = packed->next(); !member) return skip(shown, 0, member.error().message);
  std::string buffer;
  const Result<std::string_view> first = packed->read(buffer, kChunkBytes);
  if (!first) return skip(shown, 0, first.error().message);
  const std::string_view head = formats::head_of(*first);
  const Result<const formats::Adapter*> adapter = choose_adapter(files_[number], head);
  if (!adapter) return skip(shown, 0, adapter.error().message);
  const std::string unpacked = unpacked_name(path);
  if (const auto reason = why_left(**adapter, unpacked)) return skip(shown, 0, *reason);
  About about{.format = std::string((*adapter)->name), .path = path, .project = {}};
  if ((*adapter)->project != nullptr) about.project = (*adapter)->project(unpacked, head);
  if (!is_wanted(files_[number], about)) return;
  SourceReader source_reader(**adapter, info_of(unpacked, about.project, **adapter), head,
                             identities_, known_web_);
  if (!options_.selection.subagents) source_reader.leave_out_subagents();
  SourceProgress taking = begin(number, known, std::move(about));
  take_stream(*packed, *first, source_reader, taking, shown);
  if (report_.stopped) return;
  archive_as_it_is(file, taking);
}

// A database's conversations are sources of their own, and its records go into the archive
// as lines: the file itself holds more than conversations, keys among it.
void IngestRun::take_database(std::size_t number, const std::string& path, const FileState& state) {
  const std::string shown = files_[number].path.string();
  const Result<DatabaseFile> database = DatabaseFile::open(path);
  if (!database) return skip(shown, 0, database.error().message);
  const Result<DatabaseFile::Recognised> format = database->recognise();
  if (!format) return skip(shown, 0, format.error().message);
  if (format->adapter == nullptr) {
    return skip(shown, 0, "no known format: a database of another kind");
  }
  const Result<std::vector<DatabaseFile::Entry>> entries = database->conversations(*format->shape);
  if (!entries) return skip(shown, 0, entries.error().message);
  for (const DatabaseFile::Entry& entry : *entries) {
    if (stops()) return;
    if (format->shape->wins) in_databases_.emplace(format->adapter, entry.name);
    take_entry(number, path, *database, entry, *format, state);
  }
  if (first_round_ && !entries->empty()) ++report_.files;
  report_progress(state.size);
}

void IngestRun::take_entry(std::size_t number, const std::string& file,
                           const DatabaseFile& database, const DatabaseFile::Entry& entry,
                           const DatabaseFile::Recognised& format, const FileState& state) {
  const formats::Adapter& adapter = *format.adapter;
  const std::string shown = files_[number].path.string() + "!" + entry.name;
  About about{.format = std::string(adapter.name), .path = file + "!" + entry.name, .project = {}};
  if (adapter.project != nullptr) about.project = adapter.project(file, "");
  if (!is_wanted(files_[number], about)) return;
  Result<std::optional<store::Source>> known = store_.find_source(seal_.key(about.path));
  if (!known) return skip(shown, 0, known.error().message);
  const std::string stamp = seal_.fingerprint(entry.stamp, "");
  const bool is_reread = files_[number].is_reread;
  if (!is_reread && *known && (*known)->fingerprint == stamp) {
    if (const Result<std::vector<Cid>> there = store_.conversations_in((*known)->key)) {
      note_conversations(*there);
    }
    return;
  }

  formats::SourceInfo info = info_of(file, about.project, adapter);
  info.name = entry.name;
  SourceReader source_reader(adapter, info, "", identities_, known_web_);
  if (!options_.selection.subagents) source_reader.leave_out_subagents();
  SourceProgress taking = begin(number, std::nullopt, about);
  std::int64_t cursor = 0;
  if (*known) {
    const Result<std::string> state_text = seal_.open_state((*known)->key, (*known)->state);
    const bool goes_on = !is_reread && !format.shape->rewrites && state_text;
    if (goes_on && source_reader.resume(*state_text, (*known)->lines)) {
      taking.source = **known;
      cursor = static_cast<std::int64_t>((*known)->offset);
      if (const auto last = store_.last_segment((*known)->key, (*known)->generation);
          last && *last) {
        taking.next_seq = (*last)->seq + 1;
      }
    } else {
      taking = begin(number, *known, about);
    }
  }
  const auto set_so_far = [&](bool at_end) {
    return [&, at_end](SourceProgress& at) {
      at.source.offset = static_cast<std::uint64_t>(cursor);
      at.source.lines = source_reader.lines();
      at.source.device = state.device;
      at.source.inode = 0;  // the file is no name for it
      at.source.size = at.source.archived;
      at.source.modified_ns = 0;
      at.source.fingerprint = at_end ? stamp : std::string();
    };
  };
  std::uint64_t bytes = 0;
  const auto take_line = [&](std::int64_t at, std::string_view line) {
    if (stops()) return;
    const std::string text = std::string(line) + "\n";
    bytes += text.size();
    cursor = at;
    source_reader.push(text);
    archive(taking, text);
    send_on(source_reader, taking, set_so_far(false));
  };
  if (const Status read = database.lines(*format.shape, entry.name, cursor, take_line); !read) {
    return skip(shown, 0, read.error().message);
  }
  if (report_.stopped) return;
  source_reader.end();
  finish(source_reader, taking, set_so_far(true), shown);
  if (first_round_) report_.bytes += bytes;
}

// What its files say is read and archived as lines, like the rows of a database.
void IngestRun::take_tree(std::size_t number, const SourceFile& file,
                          const std::optional<store::Source>& known,
                          const formats::Adapter& adapter, About about) {
  const std::string shown = files_[number].path.string();
  const Result<std::string> text = file.read_at(0, file.state().size);
  if (!text) return skip(shown, 0, text.error().message);
  const formats::SourceInfo info = info_of(about.path, about.project, adapter);
  SourceReader source_reader(adapter, info, "", identities_, known_web_);
  if (!options_.selection.subagents) source_reader.leave_out_subagents();
  SourceProgress taking = begin(number, known, std::move(about));
  const auto set_so_far = [&](bool at_end) {
    return [&, at_end](SourceProgress& at) {
      at.source.lines = source_reader.lines();
      at.source.device = file.state().device;
      at.source.inode = file.state().inode;
      at.source.size = file.state().size;
      at.source.modified_ns = at_end ? file.state().modified_ns : 0;
      at.source.fingerprint.clear();
    };
  };
  std::uint64_t bytes = 0;
  adapter.tree->lines(info, *text, [&](std::string_view line) {
    if (stops()) return;
    const std::string whole = std::string(line) + "\n";
    bytes += whole.size();
    source_reader.push(whole);
    archive(taking, whole);
    send_on(source_reader, taking, set_so_far(false));
  });
  if (report_.stopped) return;
  source_reader.end();
  finish(source_reader, taking, set_so_far(true), shown);
  report_progress(file.state().size);
  if (first_round_ && !source_reader.weaver().conversations().empty()) {
    ++report_.files;
    report_.bytes += bytes;
  }
}

}  // namespace weft::ingest
