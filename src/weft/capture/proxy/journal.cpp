#include "weft/capture/proxy/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>

#include "weft/base/json.hpp"
#include "weft/formats/framing/framing.hpp"
#include "weft/store/pages/box_bytes.hpp"

namespace weft::capture {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "weftxj1\n";
constexpr std::string_view kSuffix = ".exchange";
// Of one frame, sealed: more than one read of a socket.
constexpr std::size_t kMostFrameBytes = 1u << 20;

template <class Number>
void put(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    out += static_cast<char>((static_cast<std::uint64_t>(number) >> (8 * i)) & 0xff);
  }
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return number;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(fd, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

std::string text_in(const json::object& object, std::string_view key) {
  return std::string(find_string(object, key).value_or(""));
}

std::unexpected<Error> malformed() {
  return fail(ErrorCode::corrupt, "the file is not a journal entry, or was changed");
}

// Reads a file of any size from its start.
class FileReader {
 public:
  explicit FileReader(int fd) : fd_(fd) {}
  // Reads exactly `size` bytes; false if the file ends before.
  bool read(std::size_t size, std::string& into) {
    into.resize(size);
    std::size_t got = 0;
    while (got < size) {
      const ssize_t more = ::pread(fd_, into.data() + got, size - got, offset_);
      if (more < 0 && errno == EINTR) continue;
      if (more <= 0) return false;
      got += static_cast<std::size_t>(more);
      offset_ += more;
    }
    return true;
  }

 private:
  int fd_;
  off_t offset_ = 0;
};

// Adds one frame to `recorded`. Frames of unknown kinds are ignored.
Status add_frame(RecordedExchange& recorded, FrameKind kind, Millis time, std::string_view bytes) {
  recorded.last_at = std::max(recorded.last_at, time);
  if (kind == FrameKind::request_body) {
    recorded.request += bytes;
  } else if (kind == FrameKind::request_end) {
    recorded.is_request_complete = true;
  } else if (kind == FrameKind::response_body) {
    recorded.response += bytes;
    recorded.arrivals.emplace_back(bytes.size(), time);
  } else if (kind == FrameKind::too_large) {
    recorded.is_too_large = true;
  } else if (kind == FrameKind::end) {
    if (bytes.size() != 1) return malformed();
    recorded.end = static_cast<ExchangeEnd>(bytes.front());
  } else if (kind == FrameKind::request_head || kind == FrameKind::response_head) {
    const Result<ParsedJson> parsed = parse_json(bytes);
    const json::object* head = parsed ? parsed->value.if_object() : nullptr;
    if (head == nullptr) return malformed();
    const bool is_request = kind == FrameKind::request_head;
    (is_request ? recorded.request_type : recorded.response_type) = text_in(*head, "content_type");
    (is_request ? recorded.request_encoding : recorded.response_encoding) =
        text_in(*head, "content_encoding");
    if (is_request) {
      recorded.method = text_in(*head, "method");
      recorded.target = text_in(*head, "target");
      recorded.requested_at = time;
    } else {
      recorded.status = static_cast<int>(find_int(*head, "status").value_or(0));
      recorded.request_id = text_in(*head, "request_id");
    }
  }
  return {};
}

}  // namespace

JournalEntry::JournalEntry(fs::path path, Fd file, crypto::LayerKey key)
    : path_(std::move(path)),
      file_(std::move(file)),
      key_(std::move(key)),
      name_(path_.stem().string()) {}

std::string JournalEntry::associated() const {
  return canonical_json(json::array{"journal", name_, frames_});
}

void JournalEntry::add(FrameKind kind, Millis now, std::string_view bytes) {
  if (has_failed_) return;
  const bool is_body = kind == FrameKind::request_body || kind == FrameKind::response_body;
  if (is_body && is_full_) return;
  if (is_body && body_bytes_ + bytes.size() > kMostBodyBytes) {
    is_full_ = true;
    add(FrameKind::too_large, now, {});
    return;
  }
  constexpr std::size_t kMost = kMostFrameBytes / 2;
  if (bytes.size() > kMost) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(kMost, bytes.size()))) {
      add(kind, now, bytes.substr(0, kMost));
    }
    return;
  }
  if (is_body) body_bytes_ += bytes.size();
  std::string plain;
  plain.reserve(bytes.size() + 9);
  plain += static_cast<char>(kind);
  put(plain, now);
  plain += bytes;
  const std::string sealed = store::box_bytes(crypto::Box::seal(key_, associated(), plain));
  std::string frame;
  frame.reserve(sealed.size() + 16);
  if (frames_ == 0) frame += kMagic;
  put(frame, static_cast<std::uint32_t>(sealed.size()));
  frame += sealed;
  ++frames_;
  if (write_all(file_.get(), frame)) return;
  has_failed_ = true;
  remove();
}

Result<RecordedExchange> JournalEntry::read() const {
  FileReader reader(file_.get());
  std::string bytes;
  RecordedExchange recorded{.name = name_};
  if (!reader.read(kMagic.size(), bytes)) return recorded;
  if (bytes != kMagic) return malformed();
  for (std::uint64_t number = 0; reader.read(4, bytes); ++number) {
    const std::uint64_t size = number_at(bytes, 0, 4);
    if (size > kMostFrameBytes) return malformed();
    if (!reader.read(size, bytes)) break;
    const Result<crypto::Box> box = store::to_box(bytes);
    if (!box) return fail(box.error());
    const std::string about = canonical_json(json::array{"journal", name_, number});
    const Result<std::string> plain = box->open(key_, about);
    if (!plain) return fail(plain.error());
    if (plain->size() < 9) return malformed();
    const Status added =
        add_frame(recorded, static_cast<FrameKind>(plain->front()),
                  static_cast<Millis>(number_at(*plain, 1, 8)), std::string_view(*plain).substr(9));
    if (!added) return fail(added.error());
  }
  return recorded;
}

void JournalEntry::remove() const { ::unlink(path_.c_str()); }

Result<Journal> Journal::open(fs::path folder, const crypto::Keyring& keyring) {
  const std::optional<crypto::LayerKey> key = keyring.archive_key();
  if (!key)
    return fail(
        ErrorCode::denied,
        "cannot open the journal: the keyring has no key to seal it; use a keyring that can sign");
  // If the keyring and the store are elsewhere, the home may not exist yet.
  ::mkdir(folder.parent_path().c_str(), 0700);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail(errno == EACCES ? ErrorCode::denied : ErrorCode::unavailable,
                fmt::format("cannot create {}: {}", folder.string(), std::strerror(errno)));
  }
  return Journal(std::move(folder), *key);
}

Result<std::unique_ptr<JournalEntry>> Journal::begin() const {
  std::random_device random;
  const std::string name = fmt::format("{:08x}{:08x}", random(), random());
  fs::path path = folder_ / (name + std::string(kSuffix));
  Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
  if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::unavailable, fmt::format("cannot create a file in {}: {}",
                                                    folder_.string(), std::strerror(errno)));
  }
  return std::make_unique<JournalEntry>(std::move(path), std::move(file), key_);
}

Result<std::vector<std::unique_ptr<JournalEntry>>> Journal::orphans() const {
  std::vector<std::pair<fs::file_time_type, std::unique_ptr<JournalEntry>>> found;
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_, error)) {
    if (file.path().extension() != kSuffix) continue;
    Fd opened(::open(file.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    // The process that writes to it owns the lock.
    if (!opened || ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) continue;
    std::error_code ignored;
    const fs::file_time_type time = file.last_write_time(ignored);
    if (ignored) continue;  // woven meanwhile
    found.emplace_back(time, std::make_unique<JournalEntry>(file.path(), std::move(opened), key_));
  }
  if (error)
    return fail(ErrorCode::unavailable,
                fmt::format("cannot read {}: {}", folder_.string(), error.message()));
  std::ranges::sort(found, {}, [](const auto& one) { return one.first; });
  std::vector<std::unique_ptr<JournalEntry>> entries;
  for (auto& [time, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

}  // namespace weft::capture
