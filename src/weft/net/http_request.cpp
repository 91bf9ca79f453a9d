#include "weft/net/http_request.hpp"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include "weft/net/ascii.hpp"

namespace weft::net {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

std::size_t RequestHead::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields, [&](const auto& field) { return field.first == name; }));
}

std::optional<std::string_view> RequestHead::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(fields, [&](const auto& field) { return field.first == name; });
  if (found == fields.end()) return std::nullopt;
  return found->second;
}

// A parser of our own, because Beast's message container reserves as much memory as a client merely
// announces in Content-Length.
class RequestReader::Parser final : public http::basic_parser<true> {
 public:
  RequestHead head;
  std::string body;
  std::optional<HttpRefusal> refusal;
  std::size_t most_body_bytes = 0;
  bool has_begun = false;

 private:
  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       error_code&) override {
    head.method = method;
    head.target = target;
    head.is_http_1_0 = version == 10;
  }
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_field_impl(http::field, string_view name, string_view value, error_code&) override {
    if (is_header_done()) return;  // a trailer field
    head.fields.emplace_back(to_lower({name.data(), name.size()}), std::string(value));
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view bytes, error_code& ec) override { return add(bytes, ec); }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& ec) override {
    return add(bytes, ec);
  }
  void on_finish_impl(error_code&) override {}

  std::size_t add(string_view bytes, error_code& ec) {
    if (bytes.size() > most_body_bytes - body.size()) {
      ec = http::error::body_limit;
      return 0;
    }
    body.append(bytes.data(), bytes.size());
    return bytes.size();
  }
};

RequestReader::RequestReader(std::size_t most_header_bytes, std::size_t most_body_bytes)
    : parser_(std::make_unique<Parser>()) {
  parser_->header_limit(static_cast<std::uint32_t>(most_header_bytes));
  // The caller checks the head first, also of a request whose body is announced as too long.
  parser_->body_limit(boost::none);
  parser_->most_body_bytes = most_body_bytes;
}

RequestReader::~RequestReader() = default;

namespace {

HttpRefusal refusal_for(const error_code& error) {
  if (error == http::error::header_limit)
    return {431, "the head of the request is too long; send fewer or shorter header fields"};
  if (error == http::error::body_limit)
    return {413, "the body of the request is too long; send a shorter message"};
  if (error == http::error::bad_version)
    return {505, "this HTTP version is not supported; use HTTP/1.1"};
  return {400, "the request is not valid HTTP/1.1: " + error.message()};
}

// A body in a coding that is not undone would be read as the next request.
std::optional<HttpRefusal> refusal_of_coding(const RequestHead& head) {
  const std::optional<std::string_view> coding = head.find("transfer-encoding");
  if (!coding) return std::nullopt;
  const bool is_known = head.count("transfer-encoding") == 1 && !head.is_http_1_0 &&
                        equals_ignoring_case(*coding, "chunked");
  if (is_known) return std::nullopt;
  return HttpRefusal{400, "Transfer-Encoding must be chunked, or be left out"};
}

}  // namespace

std::size_t RequestReader::take(std::string_view bytes) {
  Parser& parser = *parser_;
  std::size_t total = 0;
  // Some clients send a line end behind a body, where none belongs.
  while (!parser.has_begun && bytes.substr(total).starts_with("\r\n")) total += 2;
  while (total < bytes.size() && !parser.is_done() && !parser.refusal) {
    if (!parser.has_begun && bytes.substr(total) == "\r") break;
    parser.has_begun = true;
    const bool had_head = parser.is_header_done();
    error_code error;
    const std::size_t used =
        parser.put(boost::asio::const_buffer(bytes.data() + total, bytes.size() - total), error);
    total += used;
    if (error && error != http::error::need_more) {
      parser.refusal = refusal_for(error);
      break;
    }
    if (!had_head && parser.is_header_done()) {
      parser.head.keeps_alive = parser.keep_alive();
      if (const auto length = parser.content_length()) parser.head.content_length = *length;
      parser.refusal = refusal_of_coding(parser.head);
      break;
    }
    if (used == 0) break;
  }
  return total;
}

bool RequestReader::has_begun() const { return parser_->has_begun; }
bool RequestReader::has_head() const { return parser_->is_header_done(); }
bool RequestReader::is_complete() const { return parser_->is_done() && !parser_->refusal; }
const std::optional<HttpRefusal>& RequestReader::refusal() const { return parser_->refusal; }
const RequestHead& RequestReader::head() const { return parser_->head; }
std::string& RequestReader::body() { return parser_->body; }

}  // namespace weft::net
