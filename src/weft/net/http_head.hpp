// The head of an HTTP/1 message, taken apart without being changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::net {

struct HttpField {
  std::string name;      // in lower case
  std::size_t at = 0;    // where its value begins in the head's text
  std::size_t size = 0;  // without blanks around it
};

class MessageHead {
 public:
  // `text` is all of it, with the empty line at its end. Empty if it is no head of that side.
  static std::optional<MessageHead> parse_request(std::string text);
  static std::optional<MessageHead> parse_response(std::string text);

  const std::string& text() const { return text_; }
  const std::string& method() const { return method_; }  // of a request
  std::string_view target() const;                       // of a request
  int status() const { return status_; }                 // of a response
  bool is_http_1_0() const { return is_http_1_0_; }

  // The value of the first field of that name; points into this.
  std::optional<std::string_view> find(std::string_view name) const;
  // The values of all fields of that name, in order; they point into this.
  std::vector<std::string_view> find_all(std::string_view name) const;

  // How the body ends, as the head says it.
  struct Length {
    bool is_chunked = false;
    std::optional<std::uint64_t> bytes{};
    bool is_broken = false;  // it says two things, or nothing that can be read
  };
  Length length() const;

  // The same request to another host, below `prefix`. Nothing else changes: not the order of
  // fields, not their case, not their blanks.
  std::string retargeted(std::string_view host, std::string_view prefix) const;

 private:
  bool parse_fields(std::size_t from);

  std::string text_;
  std::string method_;
  std::size_t target_at_ = 0, target_size_ = 0;
  int status_ = 0;
  bool is_http_1_0_ = false;
  std::vector<HttpField> fields_;
};

}  // namespace weft::net
