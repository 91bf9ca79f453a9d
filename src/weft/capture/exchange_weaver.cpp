#include "weft/capture/exchange_weaver.hpp"

#include <utility>
#include <vector>

#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/ingest/source_seal.hpp"
#include "weft/thought/weave_version.hpp"
#include "weft/thought/weaver.hpp"

namespace weft::capture {
namespace {

constexpr int kMaxTries = 8;  // while another process records the same conversation
// Beginnings of one conversation. At 60 bytes each, what is read and written with an exchange of
// the longest conversations stays below 250 kB.
constexpr std::size_t kMostMarks = 4096;
// Answers from which a request may go on by name alone.
constexpr std::size_t kMostNames = 4096;

}  // namespace

struct ExchangeWeaver::Parts {
  Parts(store::Store& in, const crypto::Keyring& keys, const ingest::Options& with)
      : store(in),
        clock(with.clock),
        model(with.model),
        indexer{.keyring = &keys, .index_sealed = with.index_sealed},
        cast(keys, with.human),
        seal(keys) {}

  Result<store::Source> source_at(const std::string& path, std::string_view format) const {
    const store::SourceKey key = seal.key(path);
    Result<std::optional<store::Source>> found = store.find_source(key);
    if (!found) return fail(std::move(found).error());
    if (*found) return **std::move(found);
    store::Source source;
    source.key = key;
    source.format = format;
    source.weave_version = thought::kWeaveVersion;
    source.about = seal.seal_about(key, {.format = source.format, .path = path, .project = {}});
    return source;
  }

  // The conversations of answers that go by a name: [[name, path], …], the oldest first.
  Result<json::array> names_in(const store::Source& source) const {
    if (source.state.empty()) return json::array();
    const Result<std::string> text = seal.open_state(source.key, source.state);
    if (!text) return fail(text.error());
    Result<ParsedJson> parsed = parse_json(*text);
    if (!parsed || !parsed->value.is_array()) {
      return fail(ErrorCode::corrupt, "the list of recorded answers cannot be read");
    }
    return std::move(parsed->value.get_array());
  }

  static std::string path_in(const json::array& names, std::string_view name) {
    for (const json::value& value : names) {
      const json::array* pair = value.if_array();
      if (pair == nullptr || pair->size() != 2) continue;
      const json::string *one = (*pair)[0].if_string(), *path = (*pair)[1].if_string();
      if (one != nullptr && path != nullptr && view(*one) == name) return std::string(view(*path));
    }
    return {};
  }

  // Goes on from what the source keeps. False if it cannot.
  bool restore(const store::Source& source, formats::Reader& reader,
               thought::Weaver& weaver) const {
    const Result<std::string> text = seal.open_state(source.key, source.state);
    const Result<ParsedJson> parsed = text ? parse_json(*text) : fail(text.error());
    const json::object* state = parsed ? parsed->value.if_object() : nullptr;
    const json::object* woven = state == nullptr ? nullptr : find_object(*state, "weaver");
    const auto read = state == nullptr ? std::nullopt : find_string(*state, "reader");
    return woven != nullptr && read && reader.restore(*read) && weaver.restore(*woven);
  }

  bool is_changed(const store::Source& source) const {
    const Result<std::optional<store::Source>> now = store.find_source(source.key);
    return !now || !*now || (*now)->revision != source.revision;
  }

  Result<Woven> weave(const LoggedExchange& exchange) {
    const std::string prefix =
        std::string(ingest::kRecordedPath) + std::string(exchange.format) + ":";
    std::string path = prefix + exchange.kin.key;
    store::Source register_source;
    json::array names;
    const bool is_named = !exchange.kin.after.empty() || !exchange.answer.empty();
    if (is_named) {
      Result<store::Source> found = source_at(std::string(ingest::kRecordedPath), "record");
      if (!found) return fail(std::move(found).error());
      register_source = *std::move(found);
      Result<json::array> listed = names_in(register_source);
      if (!listed) return fail(std::move(listed).error());
      names = *std::move(listed);
      const std::string known = path_in(names, exchange.kin.after);
      if (!exchange.kin.after.empty() && !known.empty()) path = known;
    }
    Result<store::Source> source = source_at(path, exchange.format);
    if (!source) return fail(std::move(source).error());
    const bool is_new = source->revision == 0;
    if (!is_new && source->state.empty()) return Woven::forgotten;

    const formats::Adapter& adapter = *formats::find_adapter(exchange.format);
    const formats::SourceInfo info{.name = {}, .model = model, .most_marks = kMostMarks};
    std::unique_ptr<formats::Reader> reader = adapter.open(info);
    auto weaver = std::make_unique<thought::Weaver>(cast, store);
    if (!is_new && !restore(*source, *reader, *weaver)) {
      if (is_changed(*source)) return fail(ErrorCode::unavailable, "others record the same");
      // The web is not what it was: it begins anew, as a conversation of its own.
      reader = adapter.open(info);
      weaver = std::make_unique<thought::Weaver>(cast, store);
    }
    reader->read({.text = exchange.line}, *weaver);
    if (weaver->met_forgotten()) return Woven::forgotten;

    store::Batch batch;
    batch.woven = weaver->take(clock());
    const bool has_news = !batch.woven.empty();
    source->adapter_version = adapter.version;
    source->ingested_at = clock();
    source->state = seal.seal_state(
        source->key,
        canonical_json(json::object{{"reader", reader->save()}, {"weaver", weaver->save()}}));
    batch.sources.push_back(
        {.source = *std::move(source), .conversations = weaver->conversations()});
    if (!exchange.answer.empty() && path_in(names, exchange.answer) != path) {
      names.push_back(json::array{exchange.answer, path});
      if (names.size() > kMostNames) names.erase(names.begin());
      register_source.ingested_at = clock();
      register_source.state = seal.seal_state(register_source.key, canonical_json(names));
      batch.sources.push_back({.source = std::move(register_source)});
    }
    for (thought::Woven& woven : batch.woven) sign(woven);
    store::pack(batch, indexer);
    batch.sync = store::Sync::now;
    Result<store::Committed> committed = store.commit(batch);
    if (!committed) return fail(std::move(committed).error());
    return has_news ? Woven::yes : Woven::nothing_new;
  }

  store::Store& store;
  const std::function<Millis()> clock;
  const std::optional<std::string> model;
  const store::Indexer indexer;
  thought::Cast cast;
  const ingest::SourceSeal seal;
};

ExchangeWeaver::ExchangeWeaver(store::Store& store, const crypto::Keyring& keyring,
                               const ingest::Options& options)
    : parts_(std::make_unique<Parts>(store, keyring, options)) {}

ExchangeWeaver::~ExchangeWeaver() = default;

Result<Woven> ExchangeWeaver::weave(const LoggedExchange& exchange) {
  Result<Woven> result = parts_->weave(exchange);
  for (int tries = 1; tries < kMaxTries && !result; ++tries) {
    if (result.error().code != ErrorCode::unavailable) break;
    result = parts_->weave(exchange);
  }
  return result;
}

}  // namespace weft::capture
