// Answers of HTTP/1.1, as bytes. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/net/http_request.hpp"

namespace weft::net {

enum class Afterwards { keep, close };
enum class Framing { chunked, until_close };

struct HttpResponse {
  unsigned status = 200;
  std::string_view type = "application/json";  // of the body, if there is one
  std::string body{};
  std::vector<std::pair<std::string, std::string>> fields{};
};

// The whole of it, with its length. Nothing is to be cached, and no other site may read it: there
// is no header of CORS.
std::string to_bytes(const HttpResponse& response, Afterwards afterwards);
// Without the body, as HEAD wants it.
std::string head_bytes(const HttpResponse& response, Afterwards afterwards);

// For people who look: one line of plain text, so that no client takes it for an answer of MCP.
HttpResponse to_response(const HttpRefusal& refusal);

// The head of a stream of events.
std::string stream_head(Framing framing, Afterwards afterwards);
// A message as an event of a stream.
std::string to_event(std::string_view message);
// Says nothing, so that nobody between takes the stream for dead.
inline constexpr std::string_view kSilence = ":\n\n";
// As a part of a chunked body; nothing of nothing, which would end it.
std::string to_chunk(std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace weft::net
