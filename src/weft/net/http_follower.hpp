// Follows one direction of an HTTP/1 connection as its bytes pass: reports each head, the body
// without its chunk framing, and the end of each message. It buffers at most one head.
//
//   HttpFollower follower(HttpFollower::Side::response, listener, kMostHeadBytes);
//   follower.push(bytes);   // in pieces of any size
//   follower.close();       // the connection ended
//
// It changes nothing and refuses nothing: bytes that are not HTTP are reported once as invalid,
// and everything after them is raw.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/net/http_head.hpp"

namespace weft::net {

class HttpFollower {
 public:
  enum class Side { request, response };
  // What follows a head.
  enum class Next {
    declared_body,  // a body as the head declares it
    no_body,        // no body, whatever the head declares: the response to HEAD
    tunnel,         // no more messages: the connection has changed its protocol
  };

  class Listener {
   public:
    virtual ~Listener() = default;
    // Whether another message may begin. If not, push() stops before it.
    virtual bool may_begin() const { return true; }
    virtual Next on_head(const MessageHead& head) = 0;
    // Every byte outside a head, as it came, in order.
    virtual void on_raw(std::string_view bytes) = 0;
    // The bytes of a body, without chunk framing. The same bytes came to on_raw() before.
    virtual void on_body(std::string_view bytes) = 0;
    virtual void on_end() = 0;
    // The bytes are not HTTP. From here on, all bytes are raw.
    virtual void on_invalid() = 0;
  };

  // `listener` outlives it.
  HttpFollower(Side side, Listener& listener, std::size_t most_head_bytes)
      : side_(side), listener_(listener), most_head_bytes_(most_head_bytes) {}

  // Returns how many bytes it has read: all, unless the listener does not let a message begin. Pass
  // the others again later.
  std::size_t push(std::string_view bytes);
  // The connection ended. Ends a body that ends with the connection.
  void close();
  // Treats all further bytes as raw.
  void tunnel() { state_ = State::raw; }

  // A message has begun, and has not ended.
  bool is_within() const { return state_ != State::head || !head_.empty(); }
  bool is_raw() const { return state_ == State::raw; }
  // The body of the current message ends with the connection.
  bool ends_with_connection() const { return state_ == State::until_close; }

 private:
  enum class State { head, sized, chunk_size, chunk, chunk_end, trailer, until_close, raw };

  std::size_t read_head(std::string_view bytes);
  std::size_t read_sized(std::string_view bytes);
  std::size_t read_line(std::string_view bytes);
  void end_head();
  void end_line();
  void end_message();
  void give_up();

  Side side_;
  Listener& listener_;
  std::size_t most_head_bytes_;
  State state_ = State::head;
  std::string head_;            // of the current message, as far as it came
  std::string line_;            // a chunk size or a trailer, as far as it came
  std::uint64_t left_ = 0;      // bytes of the body or chunk that are still to come
  std::size_t line_bytes_ = 0;  // of the current line
};

}  // namespace weft::net
