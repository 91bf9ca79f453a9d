// Reads one HTTP/1 request from bytes as they arrive. No sockets here; Beast parses.
//
//   RequestReader reader(most_header_bytes, most_body_bytes);
//   in.erase(0, reader.take(in));          // again with more bytes, until it has enough
//   if (reader.refusal()) …                // respond with it, and close
//   if (reader.has_head()) … reader.head() …
//   if (reader.is_complete()) … reader.body() …
//
// One reader serves one request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::net {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

// The reason to refuse a request: a status and one line for people.
struct HttpRefusal {
  unsigned status = 400;
  std::string reason;
  HttpFields fields{};  // of the response, besides those that every response has
};

// The head of a request to a server of ours, fully decoded. A proxy needs the bytes as they came:
// net/http_head.hpp.
struct RequestHead {
  std::string method, target;
  // In order; names in lower case, values without blanks around them.
  HttpFields fields{};
  bool is_http_1_0 = false;
  bool keeps_alive = true;
  std::optional<std::uint64_t> content_length{};

  std::size_t count(std::string_view name) const;
  // The value of the first field of that name, which is in lower case; points into this.
  std::optional<std::string_view> find(std::string_view name) const;
};

class RequestReader {
 public:
  RequestReader(std::size_t most_header_bytes, std::size_t most_body_bytes);
  ~RequestReader();

  // Reads from `bytes` and returns how many it used. Pass the others again with more behind them;
  // after the end of this request they belong to the next one. It stops behind the head, so that
  // the caller can check it before any of the body is read.
  std::size_t take(std::string_view bytes);

  bool has_begun() const;
  bool has_head() const;
  bool is_complete() const;
  // Set once the request breaks a rule or a limit (400, 413, 431, 505), among them a transfer
  // coding other than chunked. Nothing can be read then.
  const std::optional<HttpRefusal>& refusal() const;
  // Precondition: has_head(). Trailer fields are not among its fields.
  const RequestHead& head() const;
  std::string& body();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace weft::net
