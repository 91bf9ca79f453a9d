#include "weft/capture/proxy/exchange_weaver.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/ingest/run/weave_session.hpp"
#include "weft/ingest/source/source_seal.hpp"
#include "weft/weave/weave_version.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::capture {
namespace {

constexpr int kMaxTries = 8;  // while another process records the same conversation
// Beginnings of one conversation, of 60 bytes each: an exchange of the longest conversations reads
// and writes less than 250 kB.
constexpr std::size_t kMostMarks = 4096;
// Exchanges of a conversation that were woven last: a process may have ended between the commit and
// the removal of its journal.
constexpr std::size_t kMostIds = 64;
// Answers that a request may name as its predecessor.
constexpr std::size_t kMostNames = 4096;

}  // namespace

struct ExchangeWeaver::Parts {
  Parts(store::Store& in, const crypto::Keyring& keys, const ingest::Options& with)
      : store(in),
        clock(with.clock),
        model(with.model),
        indexer{.keyring = &keys, .index_sealed = with.index_sealed},
        identities(keys, with.human),
        seal(keys) {}

  Result<store::Source> source_at(const std::string& path, std::string_view format) const {
    const store::SourceKey key = seal.key(path);
    WEFT_TRY_VALUE(auto found, store.sources().find(key));
    if (found) return *std::move(found);
    store::Source source;
    source.key = key;
    source.format = format;
    source.weave_version = weave::kWeaveVersion;
    source.about =
        seal.seal_description(key, {.format = source.format, .path = path, .project = {}});
    return source;
  }

  // The conversations of answers that go by a name: [[name, path], …], the oldest first.
  Result<json::array> names_in(const store::Source& source) const {
    if (source.state.empty()) return json::array();
    const Result<std::string> text = seal.open_state(source.key, source.state);
    if (!text) return fail(text.error());
    Result<ParsedJson> parsed = parse_json(*text);
    if (!parsed || !parsed->value.is_array()) {
      return fail(ErrorCode::corrupt,
                  "cannot read the list of recorded answers: it is not a JSON array");
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

  // Resumes from the state of the source. False if that fails: the session is then as new.
  Result<bool> resume(const store::Source& source, ingest::WeaveSession& session, json::array& ids,
                      std::string& tools) const {
    const Result<std::string> text = seal.open_state(source.key, source.state);
    const Result<ParsedJson> parsed = text ? parse_json(*text) : fail(text.error());
    const json::object* state = parsed ? parsed->value.if_object() : nullptr;
    if (const json::array* known = state == nullptr ? nullptr : find_array(*state, "ids")) {
      ids = *known;
    }
    if (state != nullptr) tools = find_string(*state, "tools").value_or("");
    return session.resume(state);
  }

  // Goes into the archive; `source` counts it.
  store::Segment note_of(const ExchangeExtras& extras, bool has_new_tools,
                         store::Source& source) const {
    std::string line = extras.line;
    const bool has_room = line.size() + extras.tools.size() < ingest::kSegmentBytes;
    if (has_new_tools && has_room && !extras.tools.empty()) {
      line.insert(line.size() - 1, ",\"tools\":" + extras.tools);
    }
    line = line.size() < ingest::kSegmentBytes ? line + "\n" : "{}\n";
    store::Segment segment = seal.seal_segment(source.key, source.generation, source.lines, line);
    ++source.lines;
    source.archived += line.size();
    source.size = source.offset = source.archived;
    return segment;
  }

  static std::string hash_of(std::string_view text) {
    return text.empty() ? std::string() : to_hex(crypto::blake3(text));
  }

  bool is_changed(const store::Source& source) const {
    const Result<std::optional<store::Source>> now = store.sources().find(source.key);
    return !now || !*now || (*now)->revision != source.revision;
  }

  // The answers that requests may name as predecessors, and the paths of their conversations.
  struct Names {
    store::Source source;
    json::array listed{};
  };
  Result<Names> read_names() const {
    WEFT_TRY_VALUE(auto found, source_at(std::string(ingest::kRecordedPath), "record"));
    WEFT_TRY_VALUE(auto listed, names_in(found));
    return Names{std::move(found), std::move(listed)};
  }
  store::SourceUpdate with_name(Names names, const std::string& name,
                                const std::string& path) const {
    names.listed.push_back(json::array{name, path});
    if (names.listed.size() > kMostNames) names.listed.erase(names.listed.begin());
    names.source.ingested_at = clock();
    names.source.state = seal.seal_state(names.source.key, canonical_json(names.listed));
    return {.source = std::move(names.source)};
  }

  Result<WeaveOutcome> weave(const LoggedExchange& exchange) {
    std::string path = std::string(ingest::kRecordedPath) + std::string(exchange.format) + ":" +
                       exchange.conversation.key;
    std::optional<Names> names;
    if (!exchange.conversation.after.empty() || !exchange.answer_name.empty()) {
      WEFT_TRY_VALUE(auto read, read_names());
      names = std::move(read);
      const std::string known = path_in(names->listed, exchange.conversation.after);
      if (!exchange.conversation.after.empty() && !known.empty()) path = known;
    }
    WEFT_TRY_VALUE(auto source, source_at(path, exchange.format));
    store::Batch batch;
    const Result<WeaveOutcome> woven = weave_on(std::move(source), exchange, batch);
    if (!woven || batch.sources.empty()) return woven;
    const bool is_named = !exchange.answer_name.empty() && names &&
                          path_in(names->listed, exchange.answer_name) != path;
    if (is_named) batch.sources.push_back(with_name(*std::move(names), exchange.answer_name, path));
    WEFT_TRY_VALUE(auto committed, ingest::commit_now(store.writer(), std::move(batch), indexer));
    return woven;
  }

  // Into `batch`, which stays empty if there is nothing to commit.
  Result<WeaveOutcome> weave_on(store::Source source, const LoggedExchange& exchange,
                                store::Batch& batch) {
    const bool is_new = source.revision == 0;
    if (!is_new && source.state.empty()) return WeaveOutcome::forgotten;
    const formats::Adapter& adapter = *formats::find_adapter(exchange.format);
    const formats::SourceInfo info{.name = {}, .model = model, .most_marks = kMostMarks};
    ingest::WeaveSession session(adapter, info, identities, store.known_web());
    json::array ids;
    std::string tools;  // the hash of the tools that were archived last
    // Without its state, the exchange begins a conversation of its own.
    if (!is_new) {
      WEFT_TRY_VALUE(const bool is_resumed, resume(source, session, ids, tools));
      if (!is_resumed && is_changed(source)) {
        return fail(ErrorCode::conflict,
                    "another process records the same conversation; try again");
      }
    }
    if (!exchange.id.empty()) {
      if (std::ranges::find(ids, json::value(exchange.id)) != ids.end())
        return WeaveOutcome::nothing_new;
      ids.emplace_back(exchange.id);
      if (ids.size() > kMostIds) ids.erase(ids.begin());
    }
    weave::Weaver& weaver = session.weaver();
    session.reader().read({.text = exchange.line}, weaver);
    if (weaver.saw_forgotten()) return WeaveOutcome::forgotten;
    weaver.witness_answer(exchange.heard);

    WEFT_TRY_VALUE(batch.units, weaver.take(clock()));
    const std::string offered = hash_of(exchange.extras.tools);
    source.adapter_version = adapter.version;
    source.ingested_at = clock();
    json::object state = session.save();
    state["ids"] = std::move(ids);
    state["tools"] = offered;
    source.state = seal.seal_state(source.key, canonical_json(state));
    store::Segment note = note_of(exchange.extras, offered != tools, source);
    batch.sources.push_back({.source = std::move(source),
                             .segments = {std::move(note)},
                             .conversations = weaver.conversations()});
    return batch.units.empty() ? WeaveOutcome::nothing_new : WeaveOutcome::woven;
  }

  store::Store& store;
  const std::function<Millis()> clock;
  const std::optional<std::string> model;
  const store::Indexer indexer;
  thought::Identities identities;
  const ingest::SourceSeal seal;
};

ExchangeWeaver::ExchangeWeaver(store::Store& store, const crypto::Keyring& keyring,
                               const ingest::Options& options)
    : parts_(std::make_unique<Parts>(store, keyring, options)) {}

ExchangeWeaver::~ExchangeWeaver() = default;

Result<WeaveOutcome> ExchangeWeaver::weave(const LoggedExchange& exchange) {
  Result<WeaveOutcome> result = parts_->weave(exchange);
  for (int tries = 1; tries < kMaxTries && !result; ++tries) {
    if (result.error().code != ErrorCode::conflict) break;
    result = parts_->weave(exchange);
  }
  return result;
}

}  // namespace weft::capture
