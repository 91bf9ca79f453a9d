// Parses the head of an HTTP/1 message and keeps its bytes, so that a proxy can pass it on
// unchanged. net/http_request.hpp has the head of a request to a server of ours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::net {

class MessageHead {
 public:
  // `text` is the whole head with the empty line at its end. Empty if it is malformed.
  static std::optional<MessageHead> parse_request(std::string text);
  static std::optional<MessageHead> parse_response(std::string text);

  const std::string& method() const { return method_; }  // of a request
  std::string_view target() const;                       // of a request; points into this
  int status() const { return status_; }                 // of a response

  // The value of the first field of that name, which is in lower case; points into this.
  std::optional<std::string_view> find(std::string_view name) const;
  // The values of all fields of that name, in order; they point into this.
  std::vector<std::string_view> find_all(std::string_view name) const;

  // The length of the body, as the head declares it. Neither chunked nor a number of bytes: a
  // request has no body, and a response ends with the connection.
  struct Length {
    bool is_chunked = false;
    std::optional<std::uint64_t> bytes{};
    bool is_invalid = false;  // contradictory or unreadable
  };
  Length length() const;

  // The same request for another host, below `prefix`. Everything else stays as it is: the order
  // of the fields, their case and their blanks.
  std::string retargeted(std::string_view host, std::string_view prefix) const;

 private:
  struct Field {
    std::string name;      // in lower case
    std::size_t at = 0;    // the position of its value in text_
    std::size_t size = 0;  // without the blanks around it
  };
  std::string_view value_of(const Field& field) const;
  bool parse_fields(std::size_t from);

  std::string text_;
  std::string method_;
  std::size_t target_at_ = 0, target_size_ = 0;
  int status_ = 0;
  std::vector<Field> fields_;
};

}  // namespace weft::net
