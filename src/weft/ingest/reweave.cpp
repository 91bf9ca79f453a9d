#include "weft/ingest/reweave.hpp"

#include <set>

#include "weft/base/try.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/ingest/sources.hpp"
#include "weft/thought/facts.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/seal.hpp"
#include "weft/weave/weave_version.hpp"

namespace weft::ingest {
namespace {

namespace fs = std::filesystem;

// The files in a zip have several formats, whose versions are not stored: a zip counts as up to
// date as long as the weave is.
bool is_of_today(const store::Source& source, const formats::Adapter* adapter) {
  return source.weave_version == weave::kWeaveVersion &&
         (adapter == nullptr || source.adapter_version == adapter->version);
}

// Whether a conversation has tokens and no requests: it was woven before requests were recorded.
Result<bool> is_uncounted(const store::Store& store, const crypto::Keyring& keyring,
                          const Cid& owner, const Cid& conversation) {
  WEFT_TRY_VALUE(const auto row, store.conversation(conversation));
  if (!row.facts || row.created_by != owner) return false;
  WEFT_TRY_VALUE(const auto usage, store.usage_of(conversation));
  if (!usage.empty()) return false;
  WEFT_TRY_VALUE(const auto facts, store.get_without_path(*row.facts));
  const json::object content = thought::open_content(facts, &keyring);
  return thought::parse_facts(content).facts.usage.has_value();
}

Result<bool> has_uncounted(const store::Store& store, const crypto::Keyring& keyring,
                           const store::Source& source) {
  const Cid owner = thought::Identities(keyring).owner().cid;
  WEFT_TRY_VALUE(const auto conversations, store.sources().conversations_in(source.key));
  for (const Cid& conversation : conversations) {
    WEFT_TRY_VALUE(const bool uncounted, is_uncounted(store, keyring, owner, conversation));
    if (uncounted) return true;
  }
  return false;
}

}  // namespace

Result<Report> reweave(store::Store& store, const crypto::Keyring& keyring, Options options,
                       Which which) {
  options.paths.clear();
  options.folders.clear();
  options.found.clear();
  options.archived.clear();
  WEFT_TRY_VALUE(auto sources, store.sources().all());
  std::set<std::string> files;  // a database stands for all its conversations
  std::uint64_t of_today = 0;
  for (store::Source& source : sources) {
    WEFT_TRY_VALUE(auto about, open_description(keyring, source));
    if (is_register(about) || is_captured(about)) continue;
    const formats::Adapter* adapter = formats::find_adapter(about.format);
    if (which == Which::outdated && is_of_today(source, adapter)) {
      ++of_today;
      continue;
    }
    if (which == Which::uncounted) {
      WEFT_TRY_VALUE(const bool uncounted, has_uncounted(store, keyring, source));
      if (!uncounted) continue;
    }
    const std::string file = file_of(about.path);
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(file, missing);
    if (missing) {
      options.archived.push_back(std::move(source));
    } else if (files.insert(file).second) {
      options.found.push_back({.path = file,
                               .adapter = adapter,
                               .size = size,
                               .modified_ns = source.modified_ns,
                               .is_reread = true});
    }
  }
  Result<Report> report = ingest(store, keyring, options);
  if (report) report->unchanged += of_today;
  return report;
}

}  // namespace weft::ingest
