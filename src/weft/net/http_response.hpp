// Writes HTTP/1.1 responses and event streams as bytes. Pure.
#pragma once

#include <string>
#include <string_view>

#include "weft/net/http_request.hpp"

namespace weft::net {

// What happens to the connection after a response.
enum class Afterwards { keep, close };
enum class Framing { chunked, until_close };

struct HttpResponse {
  unsigned status = 200;
  std::string_view type = "application/json";  // of the body, if there is one
  std::string body{};
  HttpFields fields{};
  std::string_view cache = "no-store";  // the value of Cache-Control
  // The body, instead of `body`: memory that outlives the server.
  std::string_view lent{};

  std::string_view content() const { return lent.empty() ? std::string_view(body) : lent; }
};

// The whole response, with its length. It has no CORS fields, so that browsers let no other site
// read it.
std::string to_bytes(const HttpResponse& response, Afterwards afterwards);
// The head alone, in response to HEAD.
std::string head_bytes(const HttpResponse& response, Afterwards afterwards);

// One line of plain text for people, which no client takes for a JSON answer.
HttpResponse to_response(const HttpRefusal& refusal);
// The same for programs: {error: {code, message}}.
HttpResponse to_json_response(const HttpRefusal& refusal);

// The head of an event stream.
std::string stream_head(Framing framing, Afterwards afterwards);
// A message as an event of a stream.
std::string to_event(std::string_view message);
// A comment on a stream. It keeps proxies from closing a stream that is idle.
inline constexpr std::string_view kIdleComment = ":\n\n";
// A chunk of a chunked body. Empty for no bytes: an empty chunk would end the body.
std::string to_chunk(std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace weft::net
