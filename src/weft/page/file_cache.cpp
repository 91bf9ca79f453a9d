#include "weft/page/file_cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/base/typed/moment.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/query/edits/blame.hpp"

namespace weft::page {
namespace {

constexpr std::size_t kMostFiles = 4;
constexpr std::size_t kStateDigits = 16;

std::string stamp_of(const query::EditedFile& file) {
  struct stat status{};
  const std::string path = file.path().string();
  if (::stat(path.c_str(), &status) != 0) return path;
  return fmt::format("{} {} {} {} {}.{}", path, status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// The sessions of the runs, with how many lines each wrote.
json::array sessions_of(const json::array& runs) {
  json::array sessions;
  std::map<std::string_view, std::size_t> known;
  for (const json::value& value : runs) {
    const json::object& run = value.as_object();
    const auto cid = find_string(run, "conversation_cid");
    if (!cid) continue;
    const auto [at, is_new] = known.try_emplace(*cid, sessions.size());
    if (is_new) {
      sessions.push_back(json::object{
          {"conversation_cid", *cid}, {"title", run.at("title")}, {"lines", std::uint64_t{0}}});
    }
    json::value& lines = sessions[at->second].as_object().at("lines");
    lines = lines.to_number<std::uint64_t>() + run.at("last").to_number<std::uint64_t>() -
            run.at("first").to_number<std::uint64_t>() + 1;
  }
  return sessions;
}

ShownFile to_shown(json::object blamed) {
  ShownFile shown{.state = to_hex(crypto::blake3(canonical_json(blamed))).substr(0, kStateDigits)};
  json::array runs = std::move(blamed.at("runs").as_array());
  blamed.erase("runs");
  for (json::value& value : runs) {
    json::object& run = value.as_object();
    for (const json::value& line : run.at("text").as_array()) {
      shown.lines.emplace_back(view(line.as_string()));
    }
    run.erase("text");
  }
  shown.sessions = sessions_of(runs);
  shown.runs = std::move(runs);
  shown.about = std::move(blamed);
  return shown;
}

}  // namespace

std::shared_ptr<const ShownFile> FileCache::find(const query::Library& library,
                                                 std::string_view state, std::string_view stamp) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return entry.file->state == state && entry.stamp == stamp;
  });
  if (found == entries_.end()) return nullptr;
  // What was forgotten must not come from here.
  const auto changes = library.web.changes_since(found->checkpoint);
  if (changes && !changes->forgot) return found->file;
  entries_.erase(found);
  return nullptr;
}

Result<std::shared_ptr<const ShownFile>> FileCache::read(const query::Library& library,
                                                         const query::EditedFile& file,
                                                         const std::optional<std::string>& state,
                                                         std::stop_token stop) {
  std::string stamp = stamp_of(file);
  if (state) {
    if (auto found = find(library, *state, stamp)) return found;
  }
  WEFT_TRY_VALUE(auto changes, library.web.changes_since({}));
  WEFT_TRY_VALUE(auto blamed, query::blame(library, file.path(),
                                           {.with_text = true,
                                            .now = machine_clock().now,
                                            .control = {.stop = std::move(stop)}}));
  auto shown = std::make_shared<const ShownFile>(to_shown(std::move(blamed)));
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.file->state == shown->state; });
  if (entries_.size() == kMostFiles) entries_.erase(entries_.begin());
  entries_.push_back({.stamp = std::move(stamp), .checkpoint = changes.checkpoint, .file = shown});
  return shown;
}

}  // namespace weft::page
