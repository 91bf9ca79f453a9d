// Files that hold several: zips, as exports are downloaded, and databases.
#include <algorithm>

#include "weft/ingest/run.hpp"

namespace weft::ingest {
namespace {

constexpr std::size_t kChunkBytes = 1u << 20;
constexpr std::string_view kZip = "zip";  // the format of a source that is one

}  // namespace

// A zip is one source: read anew when it changed, and archived as it is.
void Run::take_zip(std::size_t number, const std::string& path, SourceFile& file,
                   const std::optional<store::Source>& known) {
  const std::string shown = files_[number].path.string();
  Result<ZipFile> zip = ZipFile::open(file);
  if (!zip) return skip(shown, 0, zip.error().message);
  Taking taking = begin(number, known, {.format = std::string(kZip), .path = path, .project = {}});
  while (true) {
    const Result<std::optional<std::string>> member = zip->next();
    if (!member) {
      skip(shown, 0, member.error().message);
      break;
    }
    if (!*member) break;
    take_member(**member, *zip, taking);
  }
  if (taking.conversations.empty()) return;
  // Now the file itself. It is never gone on with, so nothing of it is woven again.
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
  tell_progress(file.state().size);
}

void Run::take_member(const std::string& member, ZipFile& zip, Taking& taking) {
  const std::string name = files_[taking.file].path.string() + "!" + member;
  std::string buffer;
  Result<std::string_view> chunk = zip.read(buffer, kChunkBytes);
  if (!chunk) return skip(name, 0, chunk.error().message);
  if (chunk->empty()) return;
  const std::string_view head = formats::head_of(*chunk);
  const Result<const formats::Adapter*> adapter = choose_adapter(files_[taking.file], head);
  for (const formats::Adapter* any : formats::all_adapters()) {
    const bool asked = adapter ? any == *adapter : true;
    if (!asked || any->leaves == nullptr) continue;
    if (const std::optional<std::string> reason = any->leaves(member))
      return skip(name, 0, *reason);
  }
  if (!adapter) return skip(name, 0, adapter.error().message);
  formats::SourceInfo info{.name = std::filesystem::path(member).filename().string(),
                           .model = options_.model};
  Intake intake(**adapter, info, head, cast_, memory_);
  Taking part = taking;  // its update is the zip's, at the end
  while (!chunk->empty()) {
    intake.push(*chunk);
    send_on(intake, part, nullptr);
    chunk = zip.read(buffer, kChunkBytes);
    if (!chunk) {
      skip(name, 0, chunk.error().message);
      break;
    }
  }
  intake.end();
  finish(intake, part, nullptr, name);
  taking.keeps_nothing = taking.keeps_nothing || part.keeps_nothing;
  taking.conversations.insert(taking.conversations.end(), part.conversations.begin(),
                              part.conversations.end());
}

// A database's conversations are sources of their own, and its records go into the archive
// as lines: the file itself holds more than conversations, keys among it.
void Run::take_database(std::size_t number, const std::string& path, const FileState& state) {
  const std::string shown = files_[number].path.string();
  const Result<DatabaseFile> database = DatabaseFile::open(path);
  if (!database) return skip(shown, 0, database.error().message);
  const Result<const formats::Adapter*> adapter = database->recognise();
  if (!adapter) return skip(shown, 0, adapter.error().message);
  if (*adapter == nullptr) return skip(shown, 0, "no known format: a database of another kind");
  const Result<std::vector<DatabaseFile::Entry>> entries =
      database->conversations(*(*adapter)->database);
  if (!entries) return skip(shown, 0, entries.error().message);
  for (const DatabaseFile::Entry& entry : *entries) {
    if ((*adapter)->database->wins) in_databases_.emplace(*adapter, entry.name);
    take_entry(number, path, *database, entry, **adapter, state);
  }
  if (first_round_ && !entries->empty()) ++report_.files;
  tell_progress(state.size);
}

void Run::take_entry(std::size_t number, const std::string& file, const DatabaseFile& database,
                     const DatabaseFile::Entry& entry, const formats::Adapter& adapter,
                     const FileState& state) {
  const std::string shown = files_[number].path.string() + "!" + entry.name;
  About about{.format = std::string(adapter.name), .path = file + "!" + entry.name, .project = {}};
  if (adapter.project != nullptr) about.project = adapter.project(file, "");
  if (!is_wanted(files_[number], about)) return;
  Result<std::optional<store::Source>> known = store_.find_source(seal_.key(about.path));
  if (!known) return skip(shown, 0, known.error().message);
  const std::string stamp = seal_.print(entry.stamp, "");
  if (*known && (*known)->print == stamp) {
    if (const Result<std::vector<Cid>> there = store_.conversations_in((*known)->key)) {
      note_conversations(*there);
    }
    return;
  }

  formats::SourceInfo info = info_of(file, about.project);
  info.name = entry.name;
  Intake intake(adapter, info, "", cast_, memory_);
  if (!options_.selection.subagents) intake.leave_out_subagents();
  Taking taking = begin(number, std::nullopt, about);
  std::int64_t cursor = 0;
  if (*known) {
    const Result<std::string> state_text = seal_.open_state((*known)->key, (*known)->state);
    const bool may_go_on = state_text && !adapter.database->rewrites;
    if (may_go_on && intake.resume(*state_text, (*known)->lines)) {
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
    return [&, at_end](Taking& at) {
      at.source.offset = static_cast<std::uint64_t>(cursor);
      at.source.lines = intake.lines();
      at.source.device = state.device;
      at.source.inode = 0;  // the file is no name for it
      at.source.size = at.source.archived;
      at.source.modified_ns = 0;
      at.source.print = at_end ? stamp : std::string();
    };
  };
  std::uint64_t bytes = 0;
  const Result<std::int64_t> end =
      database.lines(*adapter.database, entry.name, cursor, [&](std::string_view line) {
        const std::string text = std::string(line) + "\n";
        bytes += text.size();
        intake.push(text);
        archive(taking, text);
        return true;
      });
  if (!end) return skip(shown, 0, end.error().message);
  cursor = *end;
  intake.end();
  finish(intake, taking, set_so_far(true), shown);
  if (first_round_) report_.bytes += bytes;
}

}  // namespace weft::ingest
