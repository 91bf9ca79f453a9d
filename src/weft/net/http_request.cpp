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

const std::string* RequestHead::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(fields, [&](const auto& field) { return field.first == name; });
  return found == fields.end() ? nullptr : &found->second;
}

// Beast's own message container would make room for as much body as a client merely announces.
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
    if (is_header_done()) return;  // it stands after the body
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
  // A body that is announced as too long is refused only after its head was looked at.
  parser_->body_limit(boost::none);
  parser_->most_body_bytes = most_body_bytes;
}

RequestReader::~RequestReader() = default;

namespace {

HttpRefusal refusal_for(const error_code& error) {
  if (error == http::error::header_limit) return {431, "the head of the request is too long"};
  if (error == http::error::body_limit) return {413, "the body of the request is too long"};
  if (error == http::error::bad_version) return {505, "only HTTP/1.0 and HTTP/1.1 are spoken"};
  return {400, "not a request of HTTP/1.1: " + error.message()};
}

}  // namespace

std::size_t RequestReader::take(std::string_view bytes) {
  Parser& parser = *parser_;
  std::size_t taken = 0;
  // Some clients send a line end after a body, where none belongs.
  while (!parser.has_begun && bytes.substr(taken).starts_with("\r\n")) taken += 2;
  while (taken < bytes.size() && !parser.is_done() && !parser.refusal) {
    if (!parser.has_begun && bytes.substr(taken) == "\r") break;
    parser.has_begun = true;
    const bool had_head = parser.is_header_done();
    error_code error;
    const std::size_t used =
        parser.put(boost::asio::const_buffer(bytes.data() + taken, bytes.size() - taken), error);
    taken += used;
    if (error && error != http::error::need_more) {
      parser.refusal = refusal_for(error);
      break;
    }
    if (!had_head && parser.is_header_done()) {
      parser.head.keeps_alive = parser.keep_alive();
      if (const auto length = parser.content_length()) parser.head.content_length = *length;
      break;
    }
    if (used == 0) break;
  }
  return taken;
}

bool RequestReader::has_begun() const { return parser_->has_begun; }
bool RequestReader::has_head() const { return parser_->is_header_done(); }
bool RequestReader::is_complete() const { return parser_->is_done() && !parser_->refusal; }
const std::optional<HttpRefusal>& RequestReader::refusal() const { return parser_->refusal; }
const RequestHead& RequestReader::head() const { return parser_->head; }
std::string& RequestReader::body() { return parser_->body; }

}  // namespace weft::net
