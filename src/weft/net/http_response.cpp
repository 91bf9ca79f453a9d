#include "weft/net/http_response.hpp"

#include <fmt/format.h>

#include "weft/base/json.hpp"

namespace weft::net {
namespace {

std::string_view phrase_of(unsigned status) {
  switch (status) {
    case 200: return "OK";
    case 202: return "Accepted";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

std::string begin_head(unsigned status, std::string_view cache, Afterwards afterwards) {
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\nCache-Control: {}\r\nX-Content-Type-Options: nosniff\r\n",
                  status, phrase_of(status), cache);
  head += afterwards == Afterwards::keep ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  return head;
}

}  // namespace

std::string head_bytes(const HttpResponse& response, Afterwards afterwards) {
  std::string head = begin_head(response.status, response.cache, afterwards);
  for (const auto& [name, value] : response.fields) {
    head += fmt::format("{}: {}\r\n", name, value);
  }
  const std::size_t size = response.content().size();
  if (size > 0) head += fmt::format("Content-Type: {}\r\n", response.type);
  // A client that has the body already is not told its length again.
  if (response.status != 304) head += fmt::format("Content-Length: {}\r\n", size);
  head += "\r\n";
  return head;
}

std::string to_bytes(const HttpResponse& response, Afterwards afterwards) {
  return head_bytes(response, afterwards).append(response.content());
}

HttpResponse to_response(const HttpRefusal& refusal) {
  return {.status = refusal.status,
          .type = "text/plain; charset=utf-8",
          .body = "weft: " + refusal.reason + "\n",
          .fields = refusal.fields};
}

HttpResponse to_json_response(const HttpRefusal& refusal) {
  const std::string_view code = refusal.status == 404                            ? "not_found"
                                : refusal.status == 401 || refusal.status == 403 ? "denied"
                                : refusal.status >= 500 || refusal.status == 429 ? "unavailable"
                                                                                 : "invalid_input";
  const json::object body{
      {"error", json::object{{"code", json::string(code)}, {"message", refusal.reason}}}};
  return {.status = refusal.status, .body = canonical_json(body), .fields = refusal.fields};
}

std::string stream_head(Framing framing, Afterwards afterwards) {
  std::string head = begin_head(200, "no-store", afterwards);
  head += "Content-Type: text/event-stream\r\nX-Accel-Buffering: no\r\n";
  if (framing == Framing::chunked) head += "Transfer-Encoding: chunked\r\n";
  head += "\r\n";
  return head;
}

std::string to_event(std::string_view message) { return fmt::format("data: {}\n\n", message); }

std::string to_chunk(std::string_view bytes) {
  return bytes.empty() ? std::string() : fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

}  // namespace weft::net
