#include "weft/store/tables/request_list.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "weft/base/try.hpp"
#include "weft/store/tables/name_set.hpp"
#include "weft/store/tables/token_kinds.hpp"
#include "weft/store/tables/unpacker.hpp"

namespace weft::store {
namespace {

using transcript::Tokens;

// The bits of an entry's first number: which of its values follow. Above them, one bit for each
// kind of tokens. On disk.
enum EntryBit : std::uint64_t {
  kSidechain = 1,
  kSpeed = 2,
  kTime = 4,
  kCost = 8,
  kRequestName = 16,
};
constexpr unsigned kTokenBits = 5;

constexpr std::size_t kNameBytes = 8;

void append_name(std::string& out, std::uint64_t name) {
  for (std::size_t i = 0; i < kNameBytes; ++i) out += static_cast<char>(name >> (8 * i) & 0xff);
}

std::uint64_t bits_of(const RequestEntry& entry) {
  std::uint64_t bits = 0;
  if (entry.is_sidechain) bits |= kSidechain;
  if (entry.states_speed) bits |= kSpeed;
  if (entry.time) bits |= kTime;
  if (entry.stated_cost) bits |= kCost;
  if (entry.request != 0) bits |= kRequestName;
  for (std::size_t i = 0; i < kTokenKinds.size(); ++i) {
    if (entry.tokens.*kTokenKinds[i] != 0) bits |= std::uint64_t{1} << (kTokenBits + i);
  }
  return bits;
}

auto order_of(const RequestEntry& entry) {
  return std::tuple(entry.time.value_or(0), entry.message, entry.request);
}

// thought::is_better, and of equal ones a rule that does not depend on their order.
bool replaces(const RequestEntry& other, const RequestEntry& than, const ModelNames& models) {
  const auto rank = [](const RequestEntry& one) {
    return thought::rank_of(one.is_sidechain, one.tokens, one.stated_cost, one.states_speed);
  };
  if (rank(other) != rank(than)) return rank(other) > rank(than);
  const auto details = [&](const RequestEntry& one) {
    const Tokens& tokens = one.tokens;
    return std::tuple(one.time, std::string_view(models[one.model]), tokens.input, tokens.output,
                      tokens.cache_read, tokens.cache_write_5m, tokens.cache_write_1h,
                      tokens.reasoning, one.stated_cost);
  };
  return details(other) < details(than);
}

bool has_repeats(const std::vector<RequestEntry>& requests) {
  const NameMixer mix;
  NameSet names(requests.size());
  return !std::ranges::all_of(requests, [&](const RequestEntry& entry) {
    return names.insert(mix(entry.message, entry.request));
  });
}

}  // namespace

std::uint32_t ModelNames::number_of(std::string_view name) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(name, number);
  return number;
}

RequestEntry to_entry(const thought::CountedRequest& request, ModelNames& models) {
  const transcript::Request& counts = request.counts;
  return {.message = request.message,
          .request = request.request,
          .time = counts.time,
          .model = models.number_of(counts.model),
          .is_sidechain = counts.is_sidechain,
          .states_speed = !counts.speed.empty(),
          .tokens = counts.tokens,
          .stated_cost = counts.stated_cost};
}

void merge_statements(std::vector<RequestEntry>& requests, const ModelNames& models) {
  if (requests.size() < 2) return;
  if (has_repeats(requests)) {
    std::ranges::sort(requests, [&](const RequestEntry& a, const RequestEntry& b) {
      return a.key() != b.key() ? a.key() < b.key() : replaces(a, b, models);
    });
    const auto rest = std::ranges::unique(requests, {}, &RequestEntry::key);
    requests.erase(rest.begin(), rest.end());
  }
  // They mostly come in order.
  if (!std::ranges::is_sorted(requests, {}, order_of)) std::ranges::sort(requests, {}, order_of);
}

std::string pack(const std::vector<RequestEntry>& requests, const ModelNames& models) {
  std::string out;
  if (requests.empty()) return out;
  ModelNames own;
  std::string entries;
  std::int64_t last_time = 0;
  for (const RequestEntry& entry : requests) {
    sql::append_varint(entries, bits_of(entry));
    sql::append_varint(entries, own.number_of(models[entry.model]));
    append_name(entries, entry.message);
    if (entry.request != 0) append_name(entries, entry.request);
    if (entry.time) {
      append_signed(entries, distance(last_time, *entry.time));
      last_time = *entry.time;
    }
    for (const auto kind : kTokenKinds) {
      const auto tokens = static_cast<std::uint64_t>(entry.tokens.*kind);
      if (tokens != 0) sql::append_varint(entries, tokens);
    }
    if (entry.stated_cost) append_signed(entries, *entry.stated_cost);
  }
  sql::append_varint(out, requests.size());
  sql::append_varint(out, own.size());
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    sql::append_varint(out, own[i].size());
    out += own[i];
  }
  return out + entries;
}

Status unpack_requests(std::string_view bytes, ModelNames& models, std::vector<RequestEntry>& out) {
  if (bytes.empty()) return {};
  Unpacker unpacker(bytes);
  // An entry has at least its name, a byte of bits and one for its model.
  const std::uint64_t count = unpacker.take();
  if (count <= bytes.size() / (kNameBytes + 2)) out.reserve(out.size() + count);
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t left = unpacker.take(); left > 0 && !unpacker.is_at_end(); --left) {
    numbers.push_back(models.number_of(unpacker.take_text()));
  }
  std::int64_t last_time = 0;
  while (!unpacker.is_at_end()) {
    RequestEntry& entry = out.emplace_back();
    const std::uint64_t bits = unpacker.take();
    const std::uint64_t model = unpacker.take();
    if (model >= numbers.size()) {
      return fail(ErrorCode::corrupt, "a row of requests names a model that it does not list");
    }
    entry.model = numbers[model];
    entry.is_sidechain = (bits & kSidechain) != 0;
    entry.states_speed = (bits & kSpeed) != 0;
    entry.message = unpacker.take_fixed();
    if ((bits & kRequestName) != 0) entry.request = unpacker.take_fixed();
    if ((bits & kTime) != 0) {
      last_time = moved(last_time, unpacker.take_signed());
      entry.time = last_time;
    }
    // In the order of kTokenKinds, one by one: this is done for hundreds of thousands of them.
    std::uint64_t kinds = bits >> kTokenBits;
    const auto take_tokens = [&](std::int64_t& tokens) {
      constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
      if ((kinds & 1) != 0) tokens = static_cast<std::int64_t>(std::min(unpacker.take(), kMost));
      kinds >>= 1;
    };
    take_tokens(entry.tokens.input);
    take_tokens(entry.tokens.output);
    take_tokens(entry.tokens.cache_read);
    take_tokens(entry.tokens.cache_write_5m);
    take_tokens(entry.tokens.cache_write_1h);
    take_tokens(entry.tokens.reasoning);
    if ((bits & kCost) != 0) entry.stated_cost = unpacker.take_signed();
  }
  return unpacker.status();
}

}  // namespace weft::store
