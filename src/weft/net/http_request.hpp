// A request of HTTP/1, read out of bytes as they come.
//
//   RequestReader reader(most_header_bytes, most_body_bytes);
//   in.erase(0, reader.take(in));          // again with more, until it has what one waits for
//   if (reader.refusal()) …                // answer with that, and close
//   if (reader.has_head()) … reader.head() …
//   if (reader.is_complete()) … reader.body() …
//
// No sockets here; the parsing is Beast's. One reader for each request.
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

// A request that is not served, as the status and one line for whoever reads it.
struct HttpRefusal {
  unsigned status = 400;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> fields{};  // more to be said in the head
};

struct RequestHead {
  std::string method, target;
  // Names in lower case, values without white space around them, in the order they came.
  std::vector<std::pair<std::string, std::string>> fields{};
  bool is_http_1_0 = false;
  bool keeps_alive = true;
  std::optional<std::uint64_t> content_length{};

  std::size_t count(std::string_view name) const;
  // The first of that name. Points into this.
  const std::string* find(std::string_view name) const;
};

class RequestReader {
 public:
  RequestReader(std::size_t most_header_bytes, std::size_t most_body_bytes);
  ~RequestReader();

  // Takes what it can use of `bytes` and returns how many those are; what it leaves comes again
  // with more behind it, or belongs to the next request. It stops after the head, so that one can
  // look at it before any body is taken.
  std::size_t take(std::string_view bytes);

  bool has_begun() const;
  bool has_head() const;
  bool is_complete() const;
  // Set once the request breaks a rule or a limit: 400, 413, 431. Nothing more can be read then.
  const std::optional<HttpRefusal>& refusal() const;
  // Once it has the head. Fields that come after a body are not among its fields.
  const RequestHead& head() const;
  std::string& body();

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace weft::net
