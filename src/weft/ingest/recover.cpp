#include "weft/ingest/recover.hpp"

#include <map>
#include <memory>
#include <set>

#include "weft/base/try.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/ingest/run/source_reader.hpp"
#include "weft/ingest/run/source_rules.hpp"
#include "weft/ingest/source/packed_file.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/ingest/sources.hpp"
#include "weft/store/open.hpp"
#include "weft/thought/identities.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

class Recovery {
 public:
  Recovery(store::Store& store, const crypto::Keyring& keyring, const RecoverOptions& how)
      : store_(store), keyring_(keyring), scratch_(how.scratch) {
    options_.human = how.human;
    options_.clock = [] { return Millis{0}; };
    options_.index_sealed = false;
  }

  Result<std::vector<RecoveredThought>> run(const std::vector<store::LostRow>& lost) {
    std::map<store::SourceKey, store::Source> sources;
    for (const store::LostRow& row : lost) {
      if (!row.cid) continue;
      wanted_.insert(*row.cid);
      for (const Cid& conversation : row.conversations) {
        // The conversation may be damaged too: its sources are then unknown.
        const auto found = store_.sources().of(conversation);
        for (const store::Source& source : found.value_or(std::vector<store::Source>())) {
          sources.emplace(source.key, source);
        }
      }
    }
    for (const auto& [key, source] : sources) {
      const Result<SourceDescription> about = open_description(keyring_, source);
      if (!about || is_captured(*about)) continue;
      WEFT_TRY(from_file(source, *about));
      WEFT_TRY(from_archive(source, *about));
    }
    return std::move(recovered_);
  }

 private:
  Status put_back(const thought::Thought& thought, const SourceDescription& about,
                  bool is_archived) {
    if (!wanted_.contains(thought.cid)) return {};
    WEFT_TRY_VALUE(const bool is_back, store_.mending().put_back(thought, &keyring_));
    if (!is_back) return {};
    wanted_.erase(thought.cid);
    recovered_.push_back({thought.cid, is_archived, about.path});
    return {};
  }

  // A store of its own for each source: nothing that another one wove may be in its web.
  Result<std::unique_ptr<store::Store>> make_store() {
    const fs::path path = scratch_ / ("woven-" + std::to_string(++stores_) + ".db");
    return store::open_store(path.string(), store::Create::yes);
  }

  // Files are of many kinds: they are ingested as they were the first time.
  Status from_file(const store::Source& source, const SourceDescription& about) {
    const std::string file = file_of(about.path);
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(file, missing);
    if (missing || wanted_.empty()) return {};
    WEFT_TRY_VALUE(const auto woven, make_store());
    Options options = options_;
    options.found.push_back({.path = file,
                             .adapter = formats::find_adapter(about.format),
                             .size = size,
                             .modified_ns = source.modified_ns,
                             .is_reread = true});
    const Result<Report> report = ingest(*woven, keyring_, options);
    if (!report) return fail(Error(report.error()).within("weaving " + file + " again"));
    const std::set<Cid> wanted = wanted_;
    for (const Cid& cid : wanted) {
      const Result<thought::Thought> thought = woven->get_without_path(cid);
      if (thought) WEFT_TRY(put_back(*thought, about, false));
    }
    return {};
  }

  // Weaves up to the first piece that cannot be opened: what comes before it does not depend on it.
  Status from_archive(const store::Source& source, const SourceDescription& about) {
    const formats::Adapter* adapter = formats::find_adapter(about.format);
    if (adapter == nullptr || source.archived == 0 || wanted_.empty()) return {};
    WEFT_TRY_VALUE(const auto empty, make_store());
    thought::Identities identities(keyring_, options_.human);
    std::unique_ptr<SourceReader> reader;
    const auto put_back_woven = [&]() -> Status {
      WEFT_TRY_VALUE(const auto units, reader->weaver().take(options_.clock()));
      for (const weave::CommitUnit& unit : units) {
        for (const thought::Thought& thought : unit.thoughts) {
          WEFT_TRY(put_back(thought, about, true));
        }
      }
      return {};
    };
    const auto weave = [&](std::string_view bytes) -> Status {
      if (!reader) {
        if (is_zip(bytes) || is_packed(bytes)) return fail(ErrorCode::invalid_input, "is packed");
        const std::string_view head =
            is_archived_as_lines(*adapter, about.path) ? "" : formats::head_of(bytes);
        reader = std::make_unique<SourceReader>(*adapter, archived_info(options_, about, *adapter),
                                                head, identities, empty->known_web());
      }
      reader->push(bytes);
      return put_back_woven();
    };
    const Status restored =
        restore(store_, keyring_, {about.path, about.format, source}, Version::newest, weave);
    if (!restored || !reader) return {};
    reader->end();
    return put_back_woven();
  }

  store::Store& store_;
  const crypto::Keyring& keyring_;
  const fs::path scratch_;
  Options options_;
  int stores_ = 0;
  std::set<Cid> wanted_;
  std::vector<RecoveredThought> recovered_;
};

}  // namespace

Result<std::vector<RecoveredThought>> recover(store::Store& store, const crypto::Keyring& keyring,
                                              const std::vector<store::LostRow>& lost,
                                              const RecoverOptions& options) {
  return Recovery(store, keyring, options).run(lost);
}

}  // namespace weft::ingest
