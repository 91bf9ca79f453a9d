#include "weft/net/http_follower.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace weft::net {
namespace {

// Of a chunk's size, with what may stand behind it; and of a trailer.
constexpr std::size_t kMostLineBytes = 64u << 10;

}  // namespace

void HttpFollower::push(std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t taken = bytes.size();
    switch (state_) {
      case State::head: taken = take_head(bytes); break;
      case State::sized:
      case State::chunk: taken = take_sized(bytes); break;
      case State::chunk_size:
      case State::chunk_end:
      case State::trailer: taken = take_line(bytes); break;
      case State::until_close:
        listener_.on_raw(bytes);
        listener_.on_body(bytes);
        break;
      case State::raw: listener_.on_raw(bytes); break;
    }
    bytes.remove_prefix(taken);
  }
}

void HttpFollower::close() {
  if (state_ == State::until_close) end_message();
}

std::size_t HttpFollower::take_head(std::string_view bytes) {
  if (head_.empty()) {
    // Empty lines may stand before a message.
    const std::size_t first = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
    if (first > 0) {
      listener_.on_raw(bytes.substr(0, first));
      return first;
    }
  }
  const std::size_t room = most_head_bytes_ - std::min(most_head_bytes_, head_.size());
  const std::size_t before = head_.size();
  head_ += bytes.substr(0, room);
  // The empty line that ends it may have begun in the piece before.
  for (std::size_t from = before < 3 ? 0 : before - 3;;) {
    const std::size_t line = head_.find('\n', from);
    if (line == std::string::npos) break;
    std::size_t end = line + 1;
    if (end < head_.size() && head_[end] == '\r') ++end;
    if (end < head_.size() && head_[end] == '\n') {
      head_.resize(end + 1);
      const std::size_t taken = head_.size() - before;
      end_head();
      return taken;
    }
    from = line + 1;
  }
  const std::size_t taken = head_.size() - before;
  if (head_.size() >= most_head_bytes_) lose();
  return taken;
}

void HttpFollower::end_head() {
  std::string text = std::exchange(head_, {});
  std::string kept = text;
  const auto head = side_ == Side::request ? MessageHead::parse_request(std::move(text))
                                           : MessageHead::parse_response(std::move(text));
  if (!head) {
    head_ = std::move(kept);
    lose();
    return;
  }
  const MessageHead::Length length = head->length();
  const bool is_interim = side_ == Side::response && head->status() < 200 && head->status() != 101;
  const Behind behind = listener_.on_head(*head);
  if (behind == Behind::tunnel) {
    state_ = State::raw;
  } else if (is_interim) {
    state_ = State::head;  // the answer itself comes behind it
  } else if (behind == Behind::nothing ||
             (side_ == Side::response && (head->status() == 204 || head->status() == 304))) {
    end_message();
  } else if (length.is_broken) {
    lose();
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

std::size_t HttpFollower::take_sized(std::string_view bytes) {
  const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  left_ -= taken;
  listener_.on_raw(bytes.substr(0, taken));
  listener_.on_body(bytes.substr(0, taken));
  if (left_ > 0) return taken;
  if (state_ == State::chunk) state_ = State::chunk_end;
  else end_message();
  return taken;
}

std::size_t HttpFollower::take_line(std::string_view bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t taken = end == std::string_view::npos ? bytes.size() : end + 1;
  listener_.on_raw(bytes.substr(0, taken));
  line_bytes_ += taken;
  line_ += bytes.substr(0, taken);
  if (line_bytes_ > kMostLineBytes) {
    lose();
  } else if (end != std::string_view::npos) {
    end_line();
  }
  return taken;
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
    else lose();
    return;
  }
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), left_, 16);
  const bool is_size = error == std::errc() && end != line.data();
  const bool ends_well =
      is_size && (end == line.data() + line.size() || *end == ';' || *end == ' ' || *end == '\t');
  if (!ends_well) lose();
  else state_ = left_ == 0 ? State::trailer : State::chunk;
}

void HttpFollower::end_message() {
  state_ = State::head;
  listener_.on_end();
}

void HttpFollower::lose() {
  state_ = State::raw;
  listener_.on_lost();
  const std::string held = std::exchange(head_, {});
  line_.clear();
  if (!held.empty()) listener_.on_raw(held);
}

}  // namespace weft::net
