#include "weft/ingest/thoughts_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::ingest {
namespace {

constexpr std::size_t kChunkBytes = 256u << 10;

static_assert(ThoughtsFile::kMaxLineBytes == formats::kMaxRecordBytes);

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Up to `size` bytes at `offset`; fewer at the end of the file.
Status read_at(int file, std::uint64_t offset, std::size_t size, std::string& out,
               const std::filesystem::path& path) {
  out.resize(size);
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got =
        ::pread(file, out.data() + have, size - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(errno_error(errno, "reading", path));
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  out.resize(have);
  return {};
}

}  // namespace

Result<ThoughtsFile::State> ThoughtsFile::state_of(int file, const std::filesystem::path& path) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return fail(errno_error(errno, "reading", path));
  if (!S_ISREG(about.st_mode)) {
    return fail(ErrorCode::invalid_input,
                "reading " + path.string() +
                    ": not a regular file, and it is read more than once; " +
                    "write it to a file first");
  }
  return State{about.st_size, nanoseconds(about.st_mtim), nanoseconds(about.st_ctim)};
}

Result<ThoughtsFile> ThoughtsFile::open(const std::filesystem::path& path) {
  // A pipe without a writer must not be waited for.
  Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return fail(errno_error(errno, "reading", path));
  WEFT_TRY_VALUE(const State state, state_of(file.get(), path));
  return ThoughtsFile(path, std::move(file), state);
}

Status ThoughtsFile::each_line(const std::function<Status(const Line&)>& visit) const {
  Status status;
  const auto on_record = [&](const formats::Record& record) {
    if (!status || is_blank(record.text)) return;
    status = visit({.number = record.line,
                    .offset = record.offset,
                    .text = record.text,
                    .bytes = record.text.size()});
  };
  const auto on_oversize = [&](std::uint64_t line, std::uint64_t bytes) {
    if (status) status = visit({.number = line, .bytes = bytes});
  };
  const std::unique_ptr<formats::Framer> framer = formats::line_framer();
  std::string chunk;
  for (std::uint64_t offset = 0; status; offset += chunk.size()) {
    WEFT_TRY(read_at(file_.get(), offset, kChunkBytes, chunk, path_));
    if (chunk.empty()) break;
    framer->push(chunk, on_record, on_oversize);
  }
  if (status) framer->end(on_record, on_oversize);
  return status;
}

Result<thought::Thought> ThoughtsFile::read(std::uint64_t offset, std::uint64_t bytes) const {
  std::string text;
  WEFT_TRY(read_at(file_.get(), offset, bytes, text, path_));
  WEFT_TRY_VALUE(const State now, state_of(file_.get(), path_));
  if (now == state_) return parse_thought_line(text);
  return fail(ErrorCode::conflict,
              path_.string() + " was changed while it was read; nothing was imported, try again");
}

Result<thought::Thought> parse_thought_line(std::string_view text) {
  WEFT_TRY_VALUE(const ParsedJson parsed, parse_json(text));
  if (parsed.inexact) return fail(ErrorCode::invalid_input, "its JSON cannot be kept exactly");
  if (const json::object* object = parsed.value.if_object()) {
    const json::array* because = find_array(*object, "because");
    if (because != nullptr && because->size() > kMaxReferences) {
      return fail(ErrorCode::invalid_input, "it has more than 65,536 causes");
    }
  }
  return thought::parse_exported(parsed.value);
}

}  // namespace weft::ingest
