#include "weft/remote/thoughts_out.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "weft/base/json.hpp"
#include "weft/base/try.hpp"

namespace weft::remote {
namespace {

constexpr std::size_t kBufferBytes = 1u << 20;

}  // namespace

std::string line_of(const thought::Thought& thought) {
  std::string line = canonical_json(to_json(thought));
  line += '\n';
  return line;
}

void ThoughtsOut::add(const thought::Thought& thought) {
  ++sent_.thoughts;
  buffer_ += line_of(thought);
  if (buffer_.size() >= kBufferBytes) flush();
}

void ThoughtsOut::add_lines(std::string_view lines) {
  buffer_ += lines;
  if (buffer_.size() >= kBufferBytes) flush();
}

void ThoughtsOut::flush() {
  if (failure_ == 0) failure_ = write_all(file_, buffer_);
  sent_.bytes += buffer_.size();
  buffer_.clear();
}

Result<Sent> ThoughtsOut::finish() {
  flush();
  if (failure_ == 0) return sent_;
  return fail(errno_error(failure_, "writing", "the thoughts of a conversation"));
}

Result<Fd> open_nameless_file(const std::filesystem::path& folder) {
  Fd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file) return file;
  // File systems without O_TMPFILE.
  std::string name = (folder / "weft-XXXXXX").string();
  file = Fd(::mkostemp(name.data(), O_CLOEXEC));
  if (!file) return fail(errno_error(errno, "creating a temporary file in", folder));
  ::unlink(name.c_str());
  return file;
}

Result<ingest::ThoughtsFile> to_thoughts_file(const Fd& file) {
  return ingest::ThoughtsFile::open("/proc/self/fd/" + std::to_string(file.get()));
}

}  // namespace weft::remote
