#include "weft/formats/apis/anthropic/requests.hpp"

#include <algorithm>

#include "weft/formats/reading/members.hpp"

namespace weft::formats::anthropic {
namespace {

constexpr std::size_t kMostIterations = 10'000;

}  // namespace

transcript::Tokens tokens_of(const json::object& usage) {
  transcript::Tokens tokens{.input = count_in(usage, "input_tokens"),
                            .output = count_in(usage, "output_tokens"),
                            .cache_read = count_in(usage, "cache_read_input_tokens"),
                            .cache_write_5m = count_in(usage, "cache_creation_input_tokens")};
  if (const json::object* split = find_object(usage, "cache_creation")) {
    tokens.cache_write_5m = count_in(*split, "ephemeral_5m_input_tokens");
    tokens.cache_write_1h = count_in(*split, "ephemeral_1h_input_tokens");
  }
  return tokens;
}

transcript::Tokens all_tokens_of(const json::object& usage) {
  const json::array* iterations = find_array(usage, "iterations");
  if (iterations == nullptr || iterations->empty()) return tokens_of(usage);
  transcript::Tokens sum;
  for (std::size_t i = 0; i < std::min(iterations->size(), kMostIterations); ++i) {
    if (const json::object* one = (*iterations)[i].if_object()) add_to(sum, tokens_of(*one));
  }
  return sum;
}

transcript::Request request_of(const json::object& message, const json::object& usage) {
  transcript::Request request{.tokens = tokens_of(usage)};
  request.message_id = find_string(message, "id").value_or("");
  request.model = find_string(message, "model").value_or("");
  request.tier = find_string(usage, "service_tier").value_or("");
  request.speed = find_string(usage, "speed").value_or("");
  return request;
}

std::vector<transcript::Request> advisor_requests(const json::object& usage) {
  std::vector<transcript::Request> requests;
  const json::array* iterations = find_array(usage, "iterations");
  if (iterations == nullptr) return requests;
  for (std::size_t i = 0; i < std::min(iterations->size(), kMostIterations); ++i) {
    const json::object* one = (*iterations)[i].if_object();
    if (one == nullptr || find_string(*one, "type") != "advisor_message") continue;
    const auto model = find_string(*one, "model");
    if (!model || model->empty()) continue;
    transcript::Request request = request_of({}, *one);
    request.model = *model;
    request.message_id = ":advisor:" + std::to_string(requests.size());
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace weft::formats::anthropic
