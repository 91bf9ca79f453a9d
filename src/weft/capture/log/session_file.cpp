#include "weft/capture/log/session_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "weft/base/file.hpp"
#include "weft/base/json/compact.hpp"
#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;
using transcript::IncludeThinking;

// Lines are written in pieces of about this size: a session that is logged for the first time may
// be long.
constexpr std::size_t kPieceBytes = 256u << 10;
// After a write that failed: the file is read again.
constexpr std::uint64_t kUnknownLength = ~std::uint64_t{0};

std::unexpected<Error> failed(std::string_view doing, const fs::path& path) {
  return fail(errno_error(errno, doing, path));
}

// 0 for a file that is not there.
Result<std::uint64_t> size_of(const fs::path& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0) return static_cast<std::uint64_t>(info.st_size);
  if (errno == ENOENT) return 0;
  return failed("reading", path);
}

std::optional<query::EntryMark> to_mark(const json::object& note) {
  const auto mark = find_int(note, "mark"), position = find_int(note, "position"),
             sequence = find_int(note, "sequence");
  const Result<Cid> turn = Cid::parse(find_string(note, "turn").value_or(""));
  const auto head = find_string(note, "head");
  if (!mark || *mark < 0 || !position || !sequence || !turn || !head) return std::nullopt;
  return query::EntryMark{.mark = static_cast<std::uint64_t>(*mark),
                          .turn = *turn,
                          .position = static_cast<std::uint64_t>(*position),
                          .head = std::string(*head),
                          .sequence = static_cast<std::uint64_t>(*sequence)};
}

}  // namespace

Result<SessionFile> SessionFile::open(fs::path file, fs::path note, std::string owner,
                                      std::uint64_t max_bytes) {
  SessionFile session(std::move(file), std::move(note), std::move(owner), max_bytes);
  WEFT_TRY(session.load());
  return session;
}

// No name of a session ends in ~ and a short number (session_log.hpp).
fs::path SessionFile::part(std::uint64_t number) const {
  if (number == 1) return file_;
  return file_.parent_path() /
         (file_.stem().string() + "~" + std::to_string(number) + file_.extension().string());
}

Status SessionFile::load() {
  sources_.clear();
  part_ = 1;
  length_ = 0;
  WEFT_TRY(read_note());
  return scan();
}

// A note that cannot be read, or that names more than the file has, is ignored.
Status SessionFile::read_note() {
  const Result<std::string> text = read_file(note_);
  if (!text) return {};
  const Result<ParsedJson> parsed = parse_json(*text);
  const json::object* note = parsed ? parsed->value.if_object() : nullptr;
  if (note == nullptr) return {};
  const auto last =
      static_cast<std::uint64_t>(std::max<std::int64_t>(find_int(*note, "part").value_or(1), 1));
  WEFT_TRY_VALUE(const auto first_size, size_of(file_));
  WEFT_TRY_VALUE(const auto size, size_of(part(last)));
  if (find_string(*note, "owner") != owner_ && (first_size > 0 || size > 0)) {
    return fail(ErrorCode::denied, file_.string() + " is the log of another session");
  }
  const auto length = find_int(*note, "length");
  if (!length || *length < 0 || static_cast<std::uint64_t>(*length) > size) return {};
  learn_sources(*note);
  if (sources_.empty()) return {};
  part_ = last;
  length_ = static_cast<std::uint64_t>(*length);
  return {};
}

// All, or none if one cannot be read.
void SessionFile::learn_sources(const json::object& note) {
  const json::object* sources = find_object(note, "sources");
  if (sources == nullptr) return;
  for (const auto& member : *sources) {
    const json::object* source = member.value().if_object();
    const auto mark = source != nullptr ? to_mark(*source) : std::nullopt;
    const Result<Cid> conversation =
        Cid::parse(source != nullptr ? find_string(*source, "conversation").value_or("") : "");
    if (!mark || !conversation) return sources_.clear();
    sources_[std::string(member.key())] = {.conversation = *conversation, .mark = *mark};
  }
}

Status SessionFile::scan() {
  for (;;) {
    WEFT_TRY(scan_part());
    std::error_code ignored;
    if (!fs::exists(part(part_ + 1), ignored)) return {};
    ++part_;
    length_ = 0;
  }
}

// Reads from length_ on, and removes an incomplete last line.
Status SessionFile::scan_part() {
  const fs::path path = part(part_);
  const Fd file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return {};
  if (file.get() < 0) return failed("reading", path);
  std::string rest;
  std::string buffer(1u << 20, '\0');
  std::uint64_t at = length_;
  for (;;) {
    const ssize_t got = ::pread(file.get(), buffer.data(), buffer.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("reading", path);
    if (got == 0) break;
    at += static_cast<std::uint64_t>(got);
    rest.append(buffer, 0, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      learn(std::string_view(rest).substr(begin, end - begin));
      length_ += end + 1 - begin;
    }
    rest.erase(0, begin);
  }
  if (!rest.empty() && ::ftruncate(file.get(), static_cast<off_t>(length_)) != 0) {
    return failed("cutting off what a crash left of", path);
  }
  return {};
}

// A line that weft did not write is kept.
void SessionFile::learn(std::string_view line) {
  const Result<ParsedJson> parsed = parse_json(line);
  const json::object* entry = parsed ? parsed->value.if_object() : nullptr;
  if (entry == nullptr) return;
  const auto id = find_string(*entry, "entry_id"), name = find_string(*entry, "source"),
             content = find_string(*entry, "content");
  const auto sequence = find_int(*entry, "sequence");
  if (!id || !name || !content || !sequence || *sequence < 0) return;
  const json::object* metadata = find_object(*entry, "metadata");
  const auto continues = metadata != nullptr ? find_string(*metadata, "continues") : std::nullopt;
  Source& source = sources_[std::string(*name)];
  source.emitted[std::string(*id)] = {content->size(), std::string(continues.value_or(*id))};
  source.mark.sequence = static_cast<std::uint64_t>(*sequence) + 1;
}

Status SessionFile::save_note() const {
  if (!is_settled()) return {};
  json::object sources;
  for (const auto& [name, source] : sources_) {
    sources[name] = json::object{{"conversation", source.conversation->str()},
                                 {"sequence", source.mark.sequence},
                                 {"mark", source.mark.mark},
                                 {"turn", source.mark.turn.str()},
                                 {"position", source.mark.position},
                                 {"head", source.mark.head}};
  }
  // Without its note, all parts are read again.
  std::string text;
  append_compact(
      text,
      json::object{{"owner", owner_}, {"part", part_}, {"length", length_}, {"sources", sources}});
  return write_file_quickly(note_, text);
}

// A part that is there already was left behind when one before it was removed: it stays as it is.
void SessionFile::begin_part() {
  std::error_code ignored;
  do ++part_;
  while (fs::exists(part(part_), ignored));
  length_ = 0;
}

Status SessionFile::write(std::string_view lines) {
  const fs::path path = part(part_);
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (file.get() < 0) return failed("writing", path);
  if (const int number = write_all(file.get(), lines)) {
    // Lines that were written are found by the next load.
    std::ignore = ::ftruncate(file.get(), static_cast<off_t>(length_));
    return fail(errno_error(number, "writing", path));
  }
  length_ += lines.size();
  return {};
}

Result<query::EntryStream> SessionFile::stream_of(const query::Library& library,
                                                  const store::ConversationRow& row,
                                                  IncludeThinking thinking) {
  const Source& source = sources_[row.source];
  Result<query::EntryStream> stream =
      query::EntryStream::open(library, row, source.mark, thinking, source.emitted);
  if (stream || stream.error().code != ErrorCode::not_found) return stream;
  // The mark is of another store: the entries in the files are recognised by their ids.
  sources_.clear();
  part_ = 1;
  length_ = 0;
  WEFT_TRY(scan());
  const Source& whole = sources_[row.source];
  return query::EntryStream::open(library, row, whole.mark, thinking, whole.emitted);
}

// A piece ends where a part does.
Status SessionFile::append_entries(Source& source, const std::vector<query::StreamEntry>& entries) {
  std::string piece;
  const auto write_piece = [&](const query::EntryMark& mark) -> Status {
    if (piece.empty()) return {};
    WEFT_TRY(write(piece));
    piece.clear();
    source.mark = mark;
    return {};
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string line;
    append_compact(line, to_json(entries[i].entry));
    line += '\n';
    const std::uint64_t written = length_ + piece.size();
    if (written > 0 && written + line.size() > max_bytes_) {
      if (i > 0) WEFT_TRY(write_piece(entries[i - 1].mark));
      // Resuming then reads no more than the new part.
      WEFT_TRY(save_note());
      begin_part();
    }
    piece += line;
    const bool is_last = i + 1 == entries.size();
    if (piece.size() >= kPieceBytes || is_last) WEFT_TRY(write_piece(entries[i].mark));
  }
  return {};
}

Status SessionFile::append(const query::Library& library, const store::ConversationRow& row,
                           IncludeThinking thinking) {
  WEFT_TRY_VALUE(auto size, size_of(part(part_)));
  // The file was truncated or removed, or one of our writes failed half way.
  if (size != length_) {
    if (size == 0 && length_ != kUnknownLength) std::ignore = ::unlink(note_.c_str());
    WEFT_TRY(load());
  }
  const auto not_its_own = [&] {
    return fail(ErrorCode::invalid_input,
                file_.string() + " holds entries that are not of " + row.cid.brief());
  };
  {
    const Source& source = sources_[row.source];
    if (source.conversation && source.conversation != row.cid) return not_its_own();
  }
  WEFT_TRY_VALUE(auto stream, stream_of(library, row, thinking));
  const bool had_emitted = !sources_[row.source].emitted.empty();
  for (bool is_first = true;; is_first = false) {
    WEFT_TRY_VALUE(auto entries, stream.next());
    if (is_first && had_emitted && !stream.has_passed()) return not_its_own();
    Source& source = sources_[row.source];
    source.conversation = row.cid;
    source.emitted.clear();
    if (Status status = append_entries(source, entries); !status) {
      length_ = kUnknownLength;
      return status;
    }
    if (entries.empty()) {
      source.mark = stream.mark();
      break;
    }
  }
  return save_note();
}

bool SessionFile::is_settled() const {
  return std::ranges::all_of(sources_, [](const auto& named) {
    return named.second.conversation && named.second.emitted.empty();
  });
}

std::vector<Cid> SessionFile::conversations_in(const fs::path& note) {
  SessionFile file({}, note, {}, 0);
  const Result<std::string> text = read_file(note);
  const Result<ParsedJson> parsed = parse_json(text.value_or(""));
  if (parsed && parsed->value.is_object()) file.learn_sources(parsed->value.get_object());
  std::vector<Cid> out;
  for (const auto& [name, source] : file.sources_) {
    if (source.conversation) out.push_back(*source.conversation);
  }
  return out;
}

}  // namespace weft::capture
