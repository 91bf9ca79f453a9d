#include "weft/query/commits/agent_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/commits/landed_edits.hpp"
#include "weft/query/commits/repository_file.hpp"
#include "weft/query/edits/attribution.hpp"
#include "weft/query/edits/call_reader.hpp"
#include "weft/query/edits/call_story.hpp"
#include "weft/query/edits/working_directories.hpp"

namespace weft::query {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTraceVersion = "0.1";

json::value utf8_text(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  return json::value(repair_utf8(text, storage, repairs));
}

std::string url_of(std::string_view cid) { return "weft:" + std::string(cid); }

// A UUID of version 8 (RFC 9562): its bits are ours to choose.
std::string uuid_of(std::string_view conversation, std::string_view place) {
  std::string hex = to_hex(crypto::blake3({conversation, "\n", place}));
  hex[12] = '8';
  hex[16] = "89ab"[static_cast<unsigned char>(hex[16]) % 4];
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20, 12));
}

class TraceWriter {
 public:
  TraceWriter(const Library& library, const store::ConversationRow& conversation,
              const AgentTraceOptions& options)
      : library_(library), conversation_(conversation), options_(options), stories_(library) {}

  Result<AgentTrace> run() && {
    std::optional<git::Repository> given;
    if (options_.repository) {
      WEFT_TRY_VALUE(given, open_repository(*options_.repository));
    }
    CallReader reader(library_, options_.control,
                      [&](MadeEdit made) { edits_.push_back(std::move(made)); });
    WEFT_TRY(reader.read(conversation_));
    if (reader.sealed() > 0) {
      notes_.insert(
          fmt::format("{} calls are sealed: this keyring does not open them", reader.sealed()));
    }
    WEFT_TRY(locate(std::move(given)));
    for (const auto& [root, numbers] : by_root_) WEFT_TRY(add_repository(numbers));
    std::ranges::stable_sort(records_, {}, &Record::time);
    for (Record& record : records_) trace_.records.push_back(std::move(record.json));
    trace_.notes.assign(notes_.begin(), notes_.end());
    return std::move(trace_);
  }

 private:
  struct Record {
    Millis time = 0;
    json::object json;
  };

  Status locate(std::optional<git::Repository> given) {
    RepositoryFiles files(std::move(given), options_.control.stop);
    files_.resize(edits_.size());
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      if (options_.control.is_off()) return called_off();
      requests_.insert(edits_[i].request);
      auto file = files.find(edits_[i].edit.path, directories_.of(edits_[i].conversation));
      if (!file && file.error().code == ErrorCode::unavailable) {
        return fail(std::move(file).error());
      }
      if (!file) {
        notes_.insert(file.error().message);
      } else if (!*file) {
        notes_.insert(edits_[i].edit.path + " lies in no git repository");
      } else {
        files_[i] = **file;
        by_root_[(*file)->repository.root].push_back(i);
      }
    }
    return {};
  }

  Status add_repository(const std::vector<std::size_t>& numbers) {
    const git::Repository& repository = files_[numbers.front()]->repository;
    const git::Git git(repository, options_.control.stop);
    LandedEdits landed(git);
    std::set<std::string> names, now;
    for (const std::size_t i : numbers) {
      std::vector<std::string> known = {files_[i]->path};
      const std::string& current = files_[i]->now;
      if (!current.empty() && current != known.front()) known.push_back(current);
      names.insert(known.begin(), known.end());
      if (!current.empty()) now.insert(current);
      landed.add(edits_[i].edit, edits_[i].time, known, {});
    }
    WEFT_TRY(landed.find());
    for (const auto& [commit, patch] : landed.patches()) {
      std::set<std::string> paths;
      for (const git::PatchedFile& file : patch.files) {
        if (names.contains(file.path) && !file.added.empty()) paths.insert(file.path);
      }
      WEFT_TRY(add_record(repository, paths, commit));
    }
    return add_record(repository, now, {});
  }

  // The record of a commit; of what is not committed without one.
  Status add_record(const git::Repository& repository, const std::set<std::string>& paths,
                    const std::optional<std::string>& commit) {
    json::array files;
    Millis newest = 0;
    for (const std::string& path : paths) {
      if (options_.control.is_off()) return called_off();
      BlamedFileOptions blamed{.now = options_.now, .stop = options_.control.stop};
      blamed.revision = commit;
      auto file = read_blamed_file(repository.root / path, blamed);
      if (!file && file.error().code == ErrorCode::unavailable) {
        return fail(std::move(file).error());
      }
      if (!file) {
        notes_.insert(file.error().message);
        continue;
      }
      WEFT_TRY_VALUE(const Attribution attribution, attribute(library_, *file, options_.control));
      WEFT_TRY_VALUE(json::array conversations,
                     conversations_of(*file, attribution, commit, newest));
      if (conversations.empty()) continue;
      files.push_back(json::object{{"path", utf8_text(file->shown_path)},
                                   {"conversations", std::move(conversations)}});
    }
    if (files.empty()) return {};
    const std::string place = repository.root.string() + "\n" + commit.value_or("");
    json::object record{{"version", kTraceVersion},
                        {"id", uuid_of(conversation_.cid.str(), place)},
                        {"timestamp", to_iso8601(newest)}};
    if (commit) record["vcs"] = json::object{{"type", "git"}, {"revision", *commit}};
    record["tool"] = json::object{{"name", "weft"}, {"version", options_.version}};
    record["files"] = std::move(files);
    const Millis order = commit ? newest : std::numeric_limits<Millis>::max();
    records_.push_back({.time = order, .json = std::move(record)});
    return {};
  }

  // One for each call that wrote lines of the file in this commit.
  Result<json::array> conversations_of(const BlamedFile& file, const Attribution& attribution,
                                       const std::optional<std::string>& commit, Millis& newest) {
    std::map<std::size_t, json::array> ranges;  // by edit
    for (std::size_t n = 0; n < file.lines.size();) {
      const auto& answer = attribution.lines[n];
      const std::size_t source = file.lines[n].source, first = n;
      std::string text;
      while (n < file.lines.size() && file.lines[n].source == source &&
             attribution.lines[n] == answer) {
        text += std::string(file.lines[n++].text) + "\n";
      }
      const auto& origin = file.sources[source].commit;
      const bool is_of_commit = commit ? origin && origin->commit == *commit : !origin;
      if (!answer || !answer->edit || !is_sure(*answer) || !is_of_commit) continue;
      if (!requests_.contains(attribution.edits[*answer->edit].request)) continue;
      const std::string hash = to_hex(crypto::blake3(text));
      ranges[*answer->edit].push_back(json::object{{"start_line", file.first + first},
                                                   {"end_line", file.first + n - 1},
                                                   {"content_hash", "blake3:" + hash}});
    }
    json::array conversations;
    for (auto& [number, found] : ranges) {
      const KnownEdit& edit = attribution.edits[number];
      newest = std::max(newest, edit.time);
      WEFT_TRY_VALUE(auto one, conversation_of(edit));
      one["ranges"] = std::move(found);
      conversations.push_back(std::move(one));
    }
    return conversations;
  }

  Result<json::object> conversation_of(const KnownEdit& edit) {
    json::object story;
    WEFT_TRY(stories_.add(edit.conversation, edit.request, story));
    json::object contributor{{"type", edit.is_user_modified ? "mixed" : "ai"}};
    if (const auto model = find_string(story, "model"); model && !model->empty()) {
      contributor["model_id"] = utf8_text(model_id(*model, edit.request));
    }
    json::array related{
        json::object{{"type", "session"}, {"url", url_of(edit.conversation.str())}}};
    if (const auto prompt = find_string(story, "prompt_cid")) {
      related.push_back(json::object{{"type", "prompt"}, {"url", url_of(*prompt)}});
    }
    return json::object{{"url", url_of(edit.request.str())},
                        {"contributor", std::move(contributor)},
                        {"related", std::move(related)}};
  }

  // "anthropic/claude-opus-4-5", as models.dev names models; the model alone where its provider is
  // not known.
  std::string model_id(std::string_view model, const Cid& request) const {
    constexpr std::size_t kLongest = 250;
    constexpr std::array<std::string_view, 4> kProviders = {"anthropic", "openai", "google",
                                                            "moonshot"};
    std::string id(model);
    const auto thought = library_.web.get_without_path(request);
    if (thought && !id.contains('/')) {
      const std::string family = thought->type.substr(0, thought->type.find('/'));
      if (std::ranges::find(kProviders, family) != kProviders.end()) id = family + "/" + id;
    }
    return id.substr(0, kLongest);
  }

  Library library_;
  WorkingDirectories directories_{library_};
  const store::ConversationRow& conversation_;
  const AgentTraceOptions& options_;
  CallStories stories_;
  std::vector<MadeEdit> edits_;
  std::vector<std::optional<RepositoryFile>> files_;      // by edit
  std::map<fs::path, std::vector<std::size_t>> by_root_;  // edits
  std::unordered_set<Cid> requests_;
  std::vector<Record> records_;
  std::set<std::string> notes_;
  AgentTrace trace_;
};

}  // namespace

Result<AgentTrace> agent_trace(const Library& library, const store::ConversationRow& conversation,
                               const AgentTraceOptions& options) {
  return TraceWriter(library, conversation, options).run();
}

}  // namespace weft::query
