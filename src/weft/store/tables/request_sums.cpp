#include "weft/store/tables/request_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "weft/store/tables/token_kinds.hpp"
#include "weft/store/tables/unpacker.hpp"

namespace weft::store {
namespace {

// The bits of a sum's first number: which of its values follow. Above them, one bit for each kind
// of tokens. On disk.
enum SumBit : std::uint64_t {
  kSumTimes = 1,
  kSumCost = 2,
};
constexpr unsigned kSumTokenBits = 2;

constexpr Millis kHourMs = 60 * 60 * 1000;
constexpr std::size_t kShortNameBytes = 4;

// Makers of models ask more for prompts beyond one of these, so that requests on both sides of a
// limit hardly ever have one price. Prices with other limits are applied as well, and slower.
constexpr std::array<std::int64_t, 3> kPromptLimits = {128'000, 200'000, 272'000};

auto size_class(std::int64_t prompt) {
  return std::ranges::count_if(kPromptLimits, [&](std::int64_t limit) { return prompt > limit; });
}

std::optional<Millis> hour_of(std::optional<Millis> time) {
  if (!time) return std::nullopt;
  return *time / kHourMs - (*time % kHourMs < 0 ? 1 : 0);
}

// Saturates, as sums of tokens do.
std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<std::int64_t>::min()
               : std::numeric_limits<std::int64_t>::max();
}

void add_to(RequestSum& sum, const RequestEntry& request, std::int64_t prompt) {
  const bool is_first = sum.requests++ == 0;
  sum.least_prompt = is_first ? prompt : std::min(sum.least_prompt, prompt);
  sum.most_prompt = is_first ? prompt : std::max(sum.most_prompt, prompt);
  if (request.time) {
    sum.first = std::min(sum.first.value_or(*request.time), *request.time);
    sum.last = std::max(sum.last.value_or(*request.time), *request.time);
  }
  transcript::add_to(sum.tokens, request.tokens);
  if (request.stated_cost) {
    sum.stated_cost = saturated_sum(sum.stated_cost.value_or(0), *request.stated_cost);
  }
}

void append_sum(std::string& out, const RequestSum& sum, std::uint32_t model, Millis& last_time) {
  std::uint64_t bits = 0;
  if (sum.first) bits |= kSumTimes;
  if (sum.stated_cost) bits |= kSumCost;
  for (std::size_t i = 0; i < kTokenKinds.size(); ++i) {
    if (sum.tokens.*kTokenKinds[i] != 0) bits |= std::uint64_t{1} << (kSumTokenBits + i);
  }
  sql::append_varint(out, bits);
  sql::append_varint(out, model);
  sql::append_varint(out, sum.requests);
  append_signed(out, sum.least_prompt);
  append_signed(out, distance(sum.least_prompt, sum.most_prompt));
  if (sum.first) {
    append_signed(out, distance(last_time, *sum.first));
    append_signed(out, distance(*sum.first, *sum.last));
    last_time = *sum.last;
  }
  for (const auto kind : kTokenKinds) {
    if (sum.tokens.*kind != 0) append_signed(out, sum.tokens.*kind);
  }
  if (sum.stated_cost) append_signed(out, *sum.stated_cost);
}

RequestSum take_sum(Unpacker& in, std::uint64_t bits, std::uint32_t model, Millis& last_time) {
  RequestSum sum{.model = model, .requests = in.take(), .least_prompt = in.take_signed()};
  sum.most_prompt = moved(sum.least_prompt, in.take_signed());
  if ((bits & kSumTimes) != 0) {
    sum.first = moved(last_time, in.take_signed());
    sum.last = last_time = moved(*sum.first, in.take_signed());
  }
  for (std::size_t i = 0; i < kTokenKinds.size(); ++i) {
    if ((bits >> (kSumTokenBits + i) & 1) != 0) sum.tokens.*kTokenKinds[i] = in.take_signed();
  }
  if ((bits & kSumCost) != 0) sum.stated_cost = in.take_signed();
  return sum;
}

}  // namespace

RequestSums add_up(const std::vector<RequestEntry>& requests) {
  RequestSums out;
  out.names.reserve(requests.size());
  // In the order in which they come, whatever their numbers are.
  std::vector<std::uint32_t> models;
  const auto place_of = [&](std::uint32_t model) {
    const auto found = std::ranges::find(models, model);
    const auto place = found - models.begin();
    if (found == models.end()) models.push_back(model);
    return place;
  };
  // Of one hour, model and class of prompts, with a stated cost or without.
  std::map<std::tuple<std::optional<Millis>, std::ptrdiff_t, std::ptrdiff_t, bool>, RequestSum>
      sums;
  for (const RequestEntry& request : requests) {
    out.names.push_back(static_cast<std::uint32_t>(request.message));
    const std::int64_t prompt = prompt_size(request.tokens);
    RequestSum& sum = sums[{hour_of(request.time), place_of(request.model), size_class(prompt),
                            request.stated_cost.has_value()}];
    sum.model = request.model;
    add_to(sum, request, prompt);
  }
  out.sums.reserve(sums.size());
  for (auto& [key, sum] : sums) out.sums.push_back(sum);
  return out;
}

std::string pack(const RequestSums& sums, const ModelNames& models) {
  std::string out;
  if (sums.names.empty() && sums.sums.empty()) return out;
  ModelNames own;
  std::string packed;
  Millis last_time = 0;
  for (const RequestSum& sum : sums.sums) {
    append_sum(packed, sum, own.number_of(models[sum.model]), last_time);
  }
  sql::append_varint(out, sums.names.size());
  for (const std::uint32_t name : sums.names) {
    for (std::size_t i = 0; i < kShortNameBytes; ++i)
      out += static_cast<char>(name >> (8 * i) & 0xff);
  }
  sql::append_varint(out, own.size());
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    sql::append_varint(out, own[i].size());
    out += own[i];
  }
  return out + packed;
}

Status unpack_sums(std::string_view bytes, ModelNames& models, RequestSums& out) {
  if (bytes.empty()) return {};
  Unpacker in(bytes);
  const std::uint64_t count = in.take();
  if (count > bytes.size() / kShortNameBytes) {
    return fail(ErrorCode::corrupt, "a row of sums of requests names more than it has");
  }
  const std::string_view names = in.take_bytes(count * kShortNameBytes);
  const std::size_t before = out.names.size();
  out.names.resize(before + names.size() / kShortNameBytes);
  std::uint32_t* const read = out.names.data() + before;
  if (!names.empty()) std::memcpy(read, names.data(), names.size());
  if constexpr (std::endian::native == std::endian::big) {
    std::transform(read, out.names.data() + out.names.size(), read,
                   [](std::uint32_t name) { return std::byteswap(name); });
  }
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t left = in.take(); left > 0 && !in.is_at_end(); --left) {
    numbers.push_back(models.number_of(in.take_text()));
  }
  Millis last_time = 0;
  while (!in.is_at_end()) {
    const std::uint64_t bits = in.take();
    const std::uint64_t model = in.take();
    if (model >= numbers.size()) {
      return fail(ErrorCode::corrupt, "a row of sums of requests names a model that it lacks");
    }
    out.sums.push_back(take_sum(in, bits, numbers[model], last_time));
  }
  return in.status();
}

void RepeatedNames::grow() {
  std::vector<Slot> before(slots_.size() * 2);
  std::swap(before, slots_);
  for (const Slot& slot : before) {
    if (slot.conversation != kFree) slots_[slot_of(slot.name)] = slot;
  }
}

}  // namespace weft::store
