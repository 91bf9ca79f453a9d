#include "weft/ingest/sources.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "weft/base/try.hpp"
#include "weft/ingest/source/source_seal.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

std::string real_path(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(path, failed);
  return failed ? path.lexically_normal().string() : real.string();
}

bool is_in(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

}  // namespace

std::string file_of(const std::string& path) {
  std::error_code ignored;
  const std::size_t mark = path.rfind('!');
  if (mark == std::string::npos || fs::exists(path, ignored)) return path;
  return path.substr(0, mark);
}

std::vector<SourceFolder> list_folders(const std::vector<Folder>& folders) {
  std::vector<SourceFolder> listed;
  for (const Folder& folder : folders) {
    const Finds finds = find_files({folder});
    SourceFolder entry{.format = folder.adapter == nullptr ? "" : std::string(folder.adapter->name),
                       .path = real_path(folder.path),
                       .files = finds.files.size()};
    for (const Found& found : finds.files) entry.bytes += found.size;
    listed.push_back(std::move(entry));
  }
  return listed;
}

Result<std::vector<SourceFolder>> list_sources(const store::Store& store,
                                               const crypto::Keyring& keyring,
                                               const std::vector<Folder>& folders) {
  std::vector<SourceFolder> listed = list_folders(folders);
  const std::size_t known = listed.size();

  WEFT_TRY_VALUE(auto sources, store.sources().all());
  std::map<std::size_t, std::set<Cid>> conversations;
  for (const store::Source& source : sources) {
    WEFT_TRY_VALUE(auto about, open_description(keyring, source));
    if (is_register(about)) continue;
    const std::string file = file_of(about.path);
    // The closest folder that it lies in; one of its own where there is none.
    std::optional<std::size_t> place;
    for (std::size_t i = 0; i < known; ++i) {
      const bool closer = !place || listed[i].path.size() > listed[*place].path.size();
      if (closer && is_in(file, listed[i].path)) place = i;
    }
    const bool is_found = place.has_value();
    const std::string folder = is_recorded(about)   ? std::string(kRecordedPath)
                               : is_captured(about) ? std::string(kCapturedPath)
                                                    : fs::path(file).parent_path().string();
    for (std::size_t i = known; !place && i < listed.size(); ++i) {
      if (listed[i].path == folder && listed[i].format == about.format) place = i;
    }
    if (!place) {
      place = listed.size();
      listed.push_back({.format = about.format, .path = folder});
    }
    SourceFolder& entry = listed[*place];
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(file, missing);
    if (missing && !is_captured(about)) ++entry.gone;
    if (!missing && !is_found) {
      ++entry.files;
      entry.bytes += size;
    }
    ++entry.ingested;
    entry.archived += source.archived;
    entry.last_ingest = std::max(entry.last_ingest.value_or(0), source.ingested_at);
    WEFT_TRY_VALUE(auto cids, store.sources().conversations_in(source.key));
    conversations[*place].insert(cids.begin(), cids.end());
  }
  for (const auto& [place, cids] : conversations) listed[place].conversations = cids.size();
  return listed;
}

Result<std::vector<SourceEntry>> list_source_files(const store::Store& store,
                                                   const crypto::Keyring& keyring) {
  WEFT_TRY_VALUE(auto sources, store.sources().all());
  std::vector<SourceEntry> entries;
  for (const store::Source& source : sources) {
    WEFT_TRY_VALUE(auto about, open_description(keyring, source));
    if (is_register(about)) continue;
    WEFT_TRY_VALUE(auto cids, store.sources().conversations_in(source.key));
    std::error_code ignored;
    entries.push_back({.format = about.format,
                       .path = about.path,
                       .project = about.project,
                       .archived = source.archived,
                       .is_gone = !is_captured(about) && !fs::exists(file_of(about.path), ignored),
                       .conversations = cids.size(),
                       .last_ingest = source.ingested_at});
  }
  std::ranges::sort(entries, {}, &SourceEntry::path);
  return entries;
}

Result<Archived> find_archived(const store::Store& store, const crypto::Keyring& keyring,
                               const std::string& path) {
  WEFT_TRY_VALUE(auto sources, store.sources().all());
  const std::string real = real_path(path);
  std::optional<Archived> found;
  for (store::Source& source : sources) {
    WEFT_TRY_VALUE(auto about, open_description(keyring, source));
    if (source.archived == 0 || (about.path != path && about.path != real)) continue;
    if (found && found->source.ingested_at > source.ingested_at) continue;
    found = Archived{about.path, about.format, std::move(source)};
  }
  if (found) return *std::move(found);
  return fail(ErrorCode::not_found, "no file of that name was ingested");
}

Result<Archived> find_archived(const store::Store& store, const crypto::Keyring& keyring,
                               const Cid& conversation) {
  WEFT_TRY_VALUE(auto sources, store.sources().of(conversation));
  std::optional<Archived> found;
  bool is_of_capture = false;
  for (store::Source& source : sources) {
    WEFT_TRY_VALUE(auto about, open_description(keyring, source));
    is_of_capture = is_of_capture || is_captured(about);
    if (source.archived == 0) continue;
    if (found && found->source.ingested_at > source.ingested_at) continue;
    found = Archived{about.path, about.format, std::move(source)};
  }
  if (found) return *std::move(found);
  if (is_of_capture) {
    return fail(ErrorCode::not_found,
                "that conversation was recorded while it happened: there is no file of it to give "
                "back; weft export writes one");
  }
  return fail(ErrorCode::not_found, "nothing is archived of that conversation");
}

Status restore(const store::Store& store, const crypto::Keyring& keyring, const Archived& archived,
               Version version, const std::function<Status(std::string_view)>& write) {
  if (!keyring.archive_key()) {
    return fail(ErrorCode::denied, "the archive is sealed with the content key");
  }
  const store::Source& source = archived.source;
  std::uint64_t generation = source.generation;
  if (version == Version::former) {
    do {
      if (generation == 0) {
        return fail(ErrorCode::not_found, "there is no former version of that file");
      }
      const Result<std::optional<store::Segment>> last =
          store.sources().last_segment(source.key, --generation);
      if (!last) return fail(last.error());
      if (*last) break;
    } while (true);
  }
  std::uint64_t next = 0, bytes = 0;
  Status written;
  const Status read =
      store.sources().each_segment(source.key, generation, [&](store::Segment segment) {
        Result<std::string> opened =
            segment.seq == next ? open_segment(store, keyring, source.key, generation, segment)
                                : fail(ErrorCode::corrupt, "a piece of the archive is missing");
        ++next;
        if (opened) bytes += opened->size();
        written = opened ? write(*opened) : Status(fail(std::move(opened).error()));
        return written.has_value();
      });
  if (!read) return read;
  if (!written) return written;
  if (version == Version::newest && bytes != source.archived) {
    return fail(ErrorCode::corrupt, "a piece of the archive is missing");
  }
  return {};
}

json::object to_json(const std::vector<SourceFolder>& folders) {
  json::array sources;
  for (const SourceFolder& folder : folders) {
    json::object entry{{"format", folder.format},
                       {"path", folder.path},
                       {"files", folder.files},
                       {"bytes", folder.bytes},
                       {"ingested", folder.ingested},
                       {"gone", folder.gone},
                       {"archived_bytes", folder.archived},
                       {"conversations", folder.conversations},
                       {"last_ingest", nullptr}};
    if (folder.last_ingest) entry["last_ingest"] = *folder.last_ingest;
    sources.push_back(std::move(entry));
  }
  return {{"sources", std::move(sources)}};
}

json::object to_json(const std::vector<SourceEntry>& entries) {
  json::array files;
  for (const SourceEntry& entry : entries) {
    files.push_back(json::object{{"format", entry.format},
                                 {"path", entry.path},
                                 {"project", entry.project},
                                 {"archived_bytes", entry.archived},
                                 {"gone", entry.is_gone},
                                 {"conversations", entry.conversations},
                                 {"last_ingest", entry.last_ingest}});
  }
  return {{"files", std::move(files)}};
}

}  // namespace weft::ingest
