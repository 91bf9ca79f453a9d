#include "weft/net/http_follower.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace weft::net {
namespace {

// Of a chunk size with its extensions, and of a trailer.
constexpr std::size_t kMostLineBytes = 64u << 10;

}  // namespace

std::size_t HttpFollower::push(std::string_view bytes) {
  const std::size_t size = bytes.size();
  while (!bytes.empty()) {
    if (!is_within() && !listener_.may_begin()) break;
    std::size_t used = bytes.size();
    switch (state_) {
      case State::head: used = read_head(bytes); break;
      case State::sized:
      case State::chunk: used = read_sized(bytes); break;
      case State::chunk_size:
      case State::chunk_end:
      case State::trailer: used = read_line(bytes); break;
      case State::until_close:
        listener_.on_raw(bytes);
        listener_.on_body(bytes);
        break;
      case State::raw: listener_.on_raw(bytes); break;
    }
    bytes.remove_prefix(used);
  }
  return size - bytes.size();
}

void HttpFollower::close() {
  if (state_ == State::until_close) end_message();
}

std::size_t HttpFollower::read_head(std::string_view bytes) {
  if (head_.empty()) {
    // Empty lines may precede a message.
    const std::size_t first = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
    if (first > 0) {
      listener_.on_raw(bytes.substr(0, first));
      return first;
    }
  }
  const std::size_t room = most_head_bytes_ - std::min(most_head_bytes_, head_.size());
  const std::size_t before = head_.size();
  head_ += bytes.substr(0, room);
  // The empty line that ends the head may have begun in an earlier piece.
  for (std::size_t from = before < 3 ? 0 : before - 3;;) {
    const std::size_t line = head_.find('\n', from);
    if (line == std::string::npos) break;
    std::size_t end = line + 1;
    if (end < head_.size() && head_[end] == '\r') ++end;
    if (end < head_.size() && head_[end] == '\n') {
      head_.resize(end + 1);
      const std::size_t used = head_.size() - before;
      end_head();
      return used;
    }
    from = line + 1;
  }
  const std::size_t used = head_.size() - before;
  if (head_.size() >= most_head_bytes_) give_up();
  return used;
}

void HttpFollower::end_head() {
  std::string text = std::exchange(head_, {});
  std::string unparsed = text;
  const auto head = side_ == Side::request ? MessageHead::parse_request(std::move(text))
                                           : MessageHead::parse_response(std::move(text));
  if (!head) {
    head_ = std::move(unparsed);
    give_up();
    return;
  }
  const MessageHead::Length length = head->length();
  const bool is_interim = side_ == Side::response && head->status() < 200 && head->status() != 101;
  const Next next = listener_.on_head(*head);
  if (next == Next::tunnel) {
    state_ = State::raw;
  } else if (is_interim) {
    state_ = State::head;  // the final response follows
  } else if (next == Next::no_body ||
             (side_ == Side::response && (head->status() == 204 || head->status() == 304))) {
    end_message();
  } else if (length.is_invalid) {
    give_up();
  } else if (length.is_chunked) {
    state_ = State::chunk_size;
  } else if (length.bytes) {
    left_ = *length.bytes;
    state_ = State::sized;
    if (left_ == 0) end_message();
  } else if (side_ == Side::request) {
    end_message();
  } else {
    state_ = State::until_close;
  }
}

std::size_t HttpFollower::read_sized(std::string_view bytes) {
  const auto used = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  left_ -= used;
  listener_.on_raw(bytes.substr(0, used));
  listener_.on_body(bytes.substr(0, used));
  if (left_ > 0) return used;
  if (state_ == State::chunk) state_ = State::chunk_end;
  else end_message();
  return used;
}

std::size_t HttpFollower::read_line(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t used = end == std::string_view::npos ? bytes.size() : end + 1;
  listener_.on_raw(bytes.substr(0, used));
  line_bytes_ += used;
  line_ += bytes.substr(0, used);
  if (line_bytes_ > kMostLineBytes) {
    give_up();
  } else if (end != std::string_view::npos) {
    end_line();
  }
  return used;
}

void HttpFollower::end_line() {
  std::string line = std::exchange(line_, {});
  line_bytes_ = 0;
  line.pop_back();
  if (line.ends_with('\r')) line.pop_back();
  if (state_ == State::trailer) {
    if (line.empty()) end_message();
    return;
  }
  if (state_ == State::chunk_end) {
    if (line.empty()) state_ = State::chunk_size;
    else give_up();
    return;
  }
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), left_, 16);
  const bool is_number = error == std::errc() && end != line.data();
  const bool is_size =
      is_number && (end == line.data() + line.size() || *end == ';' || *end == ' ' || *end == '\t');
  if (!is_size) give_up();
  else state_ = left_ == 0 ? State::trailer : State::chunk;
}

void HttpFollower::end_message() {
  state_ = State::head;
  listener_.on_end();
}

void HttpFollower::give_up() {
  state_ = State::raw;
  listener_.on_invalid();
  const std::string unparsed = std::exchange(head_, {});
  line_.clear();
  if (!unparsed.empty()) listener_.on_raw(unparsed);
}

}  // namespace weft::net
