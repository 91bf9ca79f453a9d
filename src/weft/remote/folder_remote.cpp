#include "weft/remote/folder_remote.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "weft/base/try.hpp"
#include "weft/remote/thoughts_out.hpp"
#include "weft/remote/updates.hpp"
#include "weft/remote/web_id.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIdFile = "weft-web.json", kSuffix = ".jsonl";
constexpr std::size_t kDigits = 64;
// What a process left behind that was killed while it wrote.
constexpr std::chrono::hours kLeftBehindAfter(24);

std::string digits(const Cid& cid) { return cid.brief(kDigits); }

std::string name_of(const Tip& tip) {
  return digits(tip.conversation) + "-" + digits(tip.checkpoint) + std::string(kSuffix);
}

std::optional<Tip> parse_name(std::string_view name) {
  if (name.size() != 2 * kDigits + 1 + kSuffix.size() || !name.ends_with(kSuffix)) return {};
  const auto parse = [&](std::size_t from) {
    return Cid::parse(std::string(Cid::kPrefix) + std::string(name.substr(from, kDigits)));
  };
  const Result<Cid> conversation = parse(0), checkpoint = parse(kDigits + 1);
  if (!conversation || !checkpoint || name[kDigits] != '-') return {};
  return Tip{.conversation = *conversation, .checkpoint = *checkpoint};
}

class FolderRemote final : public Remote {
 public:
  FolderRemote(fs::path folder, Settings settings)
      : folder_(std::move(folder)), settings_(std::move(settings)) {}

  Result<std::optional<std::string>> find_web_id() const override {
    return read_web_id(folder_ / kIdFile);
  }
  Result<std::string> web_id() override {
    return read_or_make_web_id(folder_ / kIdFile, file_mode());
  }
  std::string place_of(const Tip& tip) const override { return path_of(tip).string(); }

  Result<std::vector<Tip>> tips() const override {
    std::vector<Tip> tips;
    WEFT_TRY(each_name(conversations(), [&](const std::string& name) {
      if (const auto tip = parse_name(name)) tips.push_back(*tip);
    }));
    std::ranges::sort(tips);
    return tips;
  }

  // A folder is listed whole in either case.
  Result<std::vector<Tip>> tips_of(std::span<const Cid> conversations) const override {
    std::vector<Cid> wanted(conversations.begin(), conversations.end());
    std::ranges::sort(wanted);
    WEFT_TRY_VALUE(auto all, tips());
    std::erase_if(
        all, [&](const Tip& tip) { return !std::ranges::binary_search(wanted, tip.conversation); });
    return all;
  }

  Result<ingest::ThoughtsFile> read(const std::vector<Update>& updates) const override {
    if (updates.size() == 1) return ingest::ThoughtsFile::open(path_of(updates.front().tip));
    WEFT_TRY_VALUE(const Fd all, open_nameless_file(settings_.scratch));
    ThoughtsOut out(all.get());
    for (const Update& update : updates) {
      WEFT_TRY_VALUE(const auto file, ingest::ThoughtsFile::open(path_of(update.tip)));
      WEFT_TRY(file.each_line([&](const ingest::ThoughtsFile::Line& line) {
        out.add_lines(line.text);
        out.add_lines("\n");
        return Status();
      }));
    }
    WEFT_TRY(out.finish());
    return to_thoughts_file(all);
  }

  Result<Sent> write(const store::Web& web, const std::vector<Update>& updates) override {
    Sent sent;
    WEFT_TRY(make_folder(conversations()));
    for (const Update& update : updates) {
      WEFT_TRY_VALUE(const Sent one, write_one(web, update.tip));
      sent.thoughts += one.thoughts;
      sent.bytes += one.bytes;
    }
    return sent;
  }

  Result<Sent> rewrite(const store::Web& web, const Tip& tip) override {
    return write(web, {{.tip = tip}});
  }

  Result<std::vector<Forgotten>> forgotten() const override {
    std::vector<std::string> names;
    WEFT_TRY(each_name(tombstones(), [&](const std::string& name) {
      if (name.ends_with(kSuffix)) names.push_back(name);
    }));
    std::ranges::sort(names);
    std::vector<Forgotten> all;
    for (const std::string& name : names) {
      std::optional<Forgotten> statement = read_statement(tombstones() / name);
      if (statement) all.push_back(*std::move(statement));
    }
    return all;
  }

  Result<Removal> forget(const Tip& tip, const Forgotten& statement, Millis /*now*/) override {
    WEFT_TRY(make_folder(tombstones()));
    const fs::path path = tombstones() / (digits(statement.tombstone.cid) + std::string(kSuffix));
    WEFT_TRY(put(path, [&](ThoughtsOut& out) {
      out.add(statement.identity);
      out.add(statement.tombstone);
      return Status();
    }));
    WEFT_TRY(remove_states(tip.conversation, [](const Tip&) { return true; }));
    return Removal::done;
  }

 private:
  fs::path conversations() const { return folder_ / "conversations"; }
  fs::path tombstones() const { return folder_ / "forgotten"; }
  fs::path path_of(const Tip& tip) const { return conversations() / name_of(tip); }

  // Whoever may read the folder may read its files.
  unsigned file_mode() const {
    struct stat about{};
    if (::stat(folder_.c_str(), &about) != 0) return 0600;
    return (about.st_mode & 0666U) | 0600U;
  }

  static Status each_name(const fs::path& folder, const std::function<void(std::string)>& visit) {
    std::error_code error;
    fs::directory_iterator at(folder, error);
    if (error == std::errc::no_such_file_or_directory) return {};
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      visit(at->path().filename().string());
    }
    if (!error) return {};
    return fail(errno_error(error.value(), "listing", folder));
  }

  Status make_folder(const fs::path& folder) const {
    struct stat about{};
    const mode_t mode = ::stat(folder_.c_str(), &about) == 0 ? about.st_mode & 0777U : 0700U;
    if (::mkdir(folder.c_str(), mode) == 0 || errno == EEXIST) return {};
    return fail(errno_error(errno, "creating", folder));
  }

  Result<Sent> put(const fs::path& path, const std::function<Status(ThoughtsOut&)>& fill) const {
    FileAside aside(path);
    if (!aside.file()) return fail(errno_error(errno, "creating", path));
    ThoughtsOut out(aside.file().get());
    WEFT_TRY(fill(out));
    Result<Sent> sent = out.finish();
    if (!sent) return fail(std::move(sent).error().within("writing " + path.string()));
    const bool is_whole = ::fchmod(aside.file().get(), file_mode()) == 0 &&
                          ::fsync(aside.file().get()) == 0 && aside.replace();
    if (!is_whole) return fail(errno_error(errno, "writing", path));
    sync_folder_of(path);
    return sent;
  }

  Result<Sent> write_one(const store::Web& web, const Tip& tip) {
    WEFT_TRY_VALUE(const Sent sent, put(path_of(tip), [&](ThoughtsOut& out) {
                     return each_thought(web, {{.tip = tip}}, [&](const thought::Thought& thought) {
                       out.add(thought);
                     });
                   }));
    // The states that this one continues say nothing more, nor do those that were given up.
    WEFT_TRY(remove_states(tip.conversation, [&](const Tip& other) {
      if (other == tip) return false;
      return has_passed(web, other).value_or(false) || was_given_up(web, other).value_or(false);
    }));
    return sent;
  }

  Status remove_states(const Cid& conversation,
                       const std::function<bool(const Tip&)>& is_done) const {
    std::vector<std::string> done;
    const fs::file_time_type now = fs::file_time_type::clock::now();
    WEFT_TRY(each_name(conversations(), [&](const std::string& name) {
      const auto tip = parse_name(name);
      if (tip && tip->conversation == conversation && is_done(*tip)) done.push_back(name);
      std::error_code error;
      const bool is_left_behind =
          !tip && name.find(kSuffix) != std::string::npos &&
          now - fs::last_write_time(conversations() / name, error) > kLeftBehindAfter && !error;
      if (is_left_behind) done.push_back(name);
    }));
    for (const std::string& name : done) {
      const fs::path path = conversations() / name;
      if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
        return fail(errno_error(errno, "removing", path));
      }
    }
    return {};
  }

  // Empty if the file holds no tombstone, or cannot be read: it says nothing then, and does not
  // keep anybody from the rest.
  static std::optional<Forgotten> read_statement(const fs::path& path) {
    const Result<ingest::ThoughtsFile> file = ingest::ThoughtsFile::open(path);
    if (!file) return std::nullopt;
    std::optional<thought::Thought> tombstone, identity;
    const Status is_read = file->each_line([&](const ingest::ThoughtsFile::Line& line) {
      Result<thought::Thought> thought = ingest::parse_thought_line(line.text);
      if (!thought) return Status();
      const bool is_tombstone = thought->type == thought::kTombstoneType;
      if (is_tombstone) tombstone = *std::move(thought);
      else if (thought::is_identity(*thought)) identity = *std::move(thought);
      return Status();
    });
    if (!is_read || !tombstone || !identity) return std::nullopt;
    return Forgotten{.tombstone = *std::move(tombstone), .identity = *std::move(identity)};
  }

  const fs::path folder_;
  const Settings settings_;
};

}  // namespace

Result<std::unique_ptr<Remote>> open_folder_remote(const fs::path& folder,
                                                   const Settings& settings) {
  if (folder.empty() || !folder.is_absolute()) {
    return fail(ErrorCode::invalid_input,
                "folder:" + folder.string() + " is no remote: name the whole path of the folder");
  }
  std::error_code error;
  const bool is_there = fs::is_directory(folder, error);
  if (!is_there && settings.access == Access::read) {
    return fail(ErrorCode::not_found, "the folder " + folder.string() + " is not there");
  }
  // The folder above must be there: a disk that is not mounted is not pushed to.
  if (!is_there && ::mkdir(folder.c_str(), 0700) != 0) {
    return fail(errno_error(errno, "creating", folder));
  }
  return std::make_unique<FolderRemote>(folder, settings);
}

}  // namespace weft::remote
