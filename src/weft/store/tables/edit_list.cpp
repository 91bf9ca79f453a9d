#include "weft/store/tables/edit_list.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/store/tables/unpacker.hpp"

namespace weft::store {
namespace {

using Kind = edits::Edit::Kind;

// By their numbers on disk.
constexpr std::array kKinds = {Kind::write, Kind::change, Kind::remove, Kind::move};
constexpr std::uint64_t kKindBits = 3, kUserModified = 4;
constexpr unsigned kPathShift = 3;
constexpr std::size_t kLineBytes = 4;

std::uint64_t number_of(Kind kind) {
  return static_cast<std::uint64_t>(std::ranges::find(kKinds, kind) - kKinds.begin());
}

// Paths by number, in the order they came.
class PathList {
 public:
  std::uint64_t number_of(std::string_view path) {
    const auto [found, is_new] = numbers_.try_emplace(path, numbers_.size());
    if (is_new) paths_.push_back(path);
    return found->second;
  }
  void append_to(std::string& out) const {
    sql::append_varint(out, paths_.size());
    for (const std::string_view path : paths_) {
      sql::append_varint(out, path.size());
      out += path;
    }
  }

 private:
  std::vector<std::string_view> paths_;
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
};

void append_edit(std::string& out, const CallEdit& edit, PathList& paths) {
  sql::append_varint(out, paths.number_of(edit.path) << kPathShift |
                              (edit.is_user_modified ? kUserModified : 0) | number_of(edit.kind));
  if (edit.kind == Kind::move) sql::append_varint(out, paths.number_of(edit.moved_from));
  sql::append_varint(out, edit.lines.size());
  for (const std::uint32_t line : edit.lines) {
    for (std::size_t i = 0; i < kLineBytes; ++i) out += static_cast<char>(line >> (8 * i) & 0xff);
  }
}

std::vector<std::uint32_t> to_lines(std::string_view bytes) {
  std::vector<std::uint32_t> lines(bytes.size() / kLineBytes);
  for (std::size_t at = 0; at < lines.size() * kLineBytes; ++at) {
    const auto byte = static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[at]));
    lines[at / kLineBytes] |= byte << (8 * (at % kLineBytes));
  }
  return lines;
}

// Reads one column.
class CallUnpacker {
 public:
  CallUnpacker(std::string_view bytes, std::string_view file_name)
      : unpacker_(bytes), file_name_(file_name) {}

  Status take_paths() {
    for (std::uint64_t left = unpacker_.take(); left > 0; --left) {
      if (unpacker_.is_at_end()) return damaged();
      const std::string_view path = unpacker_.take_text();
      paths_.push_back({path, file_name_.empty() || file_name_of(path) == file_name_});
    }
    return {};
  }
  bool is_over() const { return unpacker_.is_at_end(); }
  Status take_call(CallStatement& call) {
    call.request = request_ = moved(request_, unpacker_.take_signed());
    const std::uint64_t bits = unpacker_.take();
    if ((bits & 1) != 0) call.result = moved(call.request, unpacker_.take_signed());
    call.time = time_ = moved(time_, unpacker_.take_signed());
    for (std::uint64_t left = bits >> 1; left > 0; --left) {
      if (unpacker_.is_at_end()) return damaged();
      WEFT_TRY(take_edit(call));
    }
    return {};
  }
  Status status() const { return unpacker_.status(); }

 private:
  static std::unexpected<Error> damaged() {
    return fail(ErrorCode::corrupt, "a row of edits cannot be read");
  }
  Status take_edit(CallStatement& call) {
    const std::uint64_t bits = unpacker_.take();
    const Kind kind = kKinds.at(bits & kKindBits);
    const std::uint64_t path = bits >> kPathShift;
    const std::uint64_t from = kind == Kind::move ? unpacker_.take() : path;
    if (path >= paths_.size() || from >= paths_.size()) return damaged();
    const std::uint64_t count = unpacker_.take();
    if (count > SIZE_MAX / kLineBytes) return damaged();
    const std::string_view lines = unpacker_.take_bytes(count * kLineBytes);
    if (!paths_[path].is_wanted && !paths_[from].is_wanted) return {};
    CallEdit& edit = call.edits.emplace_back();
    edit.kind = kind;
    edit.path = paths_[path].text;
    if (kind == Kind::move) edit.moved_from = paths_[from].text;
    edit.is_user_modified = (bits & kUserModified) != 0;
    edit.lines = to_lines(lines);
    return {};
  }

  struct Path {
    std::string_view text;
    bool is_wanted = false;
  };
  Unpacker unpacker_;
  std::string_view file_name_;
  std::vector<Path> paths_{};
  std::int64_t request_ = 0, time_ = 0;  // of the call before
};

}  // namespace

void keep_last(std::vector<CallStatement>& calls) {
  std::ranges::reverse(calls);
  std::ranges::stable_sort(calls, {}, &CallStatement::request);
  const auto rest = std::ranges::unique(calls, {}, &CallStatement::request);
  calls.erase(rest.begin(), rest.end());
}

void drop_empty(std::vector<CallStatement>& calls) {
  std::erase_if(calls, [](const CallStatement& call) { return call.edits.empty(); });
}

std::string pack(const std::vector<CallStatement>& calls, bool is_sealed) {
  PathList paths;
  std::string packed;
  std::int64_t request = 0, time = 0;
  for (const CallStatement& call : calls) {
    if (call.is_sealed != is_sealed) continue;
    append_signed(packed, distance(request, call.request));
    sql::append_varint(packed, call.edits.size() << 1 | (call.result ? 1 : 0));
    if (call.result) append_signed(packed, distance(call.request, *call.result));
    append_signed(packed, distance(time, call.time));
    for (const CallEdit& edit : call.edits) append_edit(packed, edit, paths);
    request = call.request;
    time = call.time;
  }
  if (packed.empty()) return packed;
  std::string out;
  paths.append_to(out);
  return out + packed;
}

Status unpack_calls(std::string_view bytes, bool is_sealed, std::string_view file_name,
                    std::vector<CallStatement>& out) {
  if (bytes.empty()) return {};
  CallUnpacker unpacker(bytes, file_name);
  WEFT_TRY(unpacker.take_paths());
  while (!unpacker.is_over()) {
    out.emplace_back().is_sealed = is_sealed;
    WEFT_TRY(unpacker.take_call(out.back()));
  }
  return unpacker.status();
}

bool is_of_file(const CallEdit& edit, std::string_view file_name) {
  return file_name.empty() || file_name_of(edit.path) == file_name ||
         (edit.kind == Kind::move && file_name_of(edit.moved_from) == file_name);
}

}  // namespace weft::store
