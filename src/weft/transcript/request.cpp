#include "weft/transcript/request.hpp"

#include <algorithm>
#include <cmath>

namespace weft::transcript {
namespace {

// Nothing real comes near; beyond it a sum might overflow.
constexpr std::int64_t kMostTokens = std::int64_t{1} << 50;

std::int64_t limited(std::int64_t count) { return std::clamp<std::int64_t>(count, 0, kMostTokens); }

}  // namespace

std::int64_t prompt_size(const Tokens& tokens) {
  return limited(tokens.input) + limited(tokens.cache_read) + limited(tokens.cache_write_5m) +
         limited(tokens.cache_write_1h);
}

std::int64_t size_of(const Tokens& tokens) { return prompt_size(tokens) + limited(tokens.output); }

void add_to(Tokens& sum, const Tokens& more) {
  const auto bits_of = [](const Tokens& tokens) {
    return static_cast<std::uint64_t>(tokens.input | tokens.output | tokens.cache_read |
                                      tokens.cache_write_5m | tokens.cache_write_1h |
                                      tokens.reasoning);
  };
  // Nothing that is real has to be limited: it is neither negative nor near the limit.
  constexpr auto kReal = static_cast<std::uint64_t>(kMostTokens) / 4;
  const bool is_real = bits_of(sum) < kReal && bits_of(more) < kReal;
  const auto add = [is_real](std::int64_t& to, std::int64_t count) {
    to = is_real ? to + count : limited(limited(to) + limited(count));
  };
  add(sum.input, more.input);
  add(sum.output, more.output);
  add(sum.cache_read, more.cache_read);
  add(sum.cache_write_5m, more.cache_write_5m);
  add(sum.cache_write_1h, more.cache_write_1h);
  add(sum.reasoning, more.reasoning);
}

Tokens tokens_with_cache_inside(std::int64_t input, std::int64_t output, std::int64_t cached,
                                std::int64_t written, std::int64_t reasoning) {
  const std::int64_t inside = limited(cached) + limited(written);
  return {.input = std::max<std::int64_t>(limited(input) - inside, 0),
          .output = limited(output),
          .cache_read = limited(cached),
          .cache_write_5m = limited(written),
          .reasoning = limited(reasoning)};
}

std::optional<std::int64_t> to_nanodollars(double dollars) {
  constexpr double kMostDollars = 1e9;
  if (!(dollars >= 0 && dollars < kMostDollars)) return std::nullopt;
  return std::llround(dollars * 1e9);
}

}  // namespace weft::transcript
