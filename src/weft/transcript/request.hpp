// A request to a model: its counts of tokens, as a transcript states them, with one meaning of each
// column for every provider.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/base/time.hpp"

namespace weft::transcript {

// Tokens of one request. The prompt is `input` + `cache_read` + both cache writes; a token is in
// exactly one of them.
struct Tokens {
  std::int64_t input = 0;   // neither read from a cache nor written to one
  std::int64_t output = 0;  // everything the model wrote, its reasoning included
  std::int64_t cache_read = 0;
  std::int64_t cache_write_5m = 0;  // kept for five minutes, or for a time that is not stated
  std::int64_t cache_write_1h = 0;  // kept for an hour
  std::int64_t reasoning = 0;       // the part of `output` that is reasoning, where it is stated
  friend bool operator==(const Tokens&, const Tokens&) = default;
};

// The size of the prompt, which decides the price of the whole request.
std::int64_t prompt_size(const Tokens& tokens);
// Prompt and output.
std::int64_t size_of(const Tokens& tokens);
// Each sum saturates where no real one comes near.
void add_to(Tokens& sum, const Tokens& more);

struct Request {
  // The provider's names of the answer and of the request. A copy of the request in another
  // conversation has the same names. A reader whose source has none leaves both empty: the time and
  // the counts tell one request from another then.
  std::string message_id{}, request_id{};
  std::string model{};
  std::optional<Millis> time{};
  Tokens tokens{};
  // The count of input by the source, where that includes what a cache held.
  std::optional<std::int64_t> stated_input{};
  std::string tier{};                         // the service tier: "standard", "priority", "batch"
  std::string speed{};                        // "fast"
  std::optional<std::int64_t> stated_cost{};  // in billionths of a dollar
  bool is_sidechain = false;  // stated by a line of a sidechain, which may repeat one of its parent
  friend bool operator==(const Request&, const Request&) = default;
};

// The tokens of a provider whose input includes cached tokens (OpenAI, Google). What is cached is
// taken out of the input; a cached count larger than the input is taken as it is.
Tokens tokens_with_cache_inside(std::int64_t input, std::int64_t output, std::int64_t cached,
                                std::int64_t written, std::int64_t reasoning);

// Dollars as billionths of a dollar; empty for a number that is no cost.
std::optional<std::int64_t> to_nanodollars(double dollars);

}  // namespace weft::transcript
