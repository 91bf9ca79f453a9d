// Follows one side of an HTTP/1 connection while its bytes go by: where a message begins, what its
// body is without the chunks around it, where it ends. It holds a head at most; bodies go through.
//
//   HttpFollower follower(HttpFollower::Side::response, listener, kMostHeadBytes);
//   follower.push(bytes);   // in pieces cut anywhere
//   follower.close();       // the connection ended
//
// It changes nothing and refuses nothing: what is no HTTP is told once as lost, and from there on
// all is raw.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/net/http_head.hpp"

namespace weft::net {

class HttpFollower {
 public:
  enum class Side { request, response };
  // What comes behind a head.
  enum class Behind {
    as_said,  // a body as the head says
    nothing,  // no body, whatever the head says: an answer to HEAD
    tunnel,   // no more messages: the connection speaks something else now
  };

  class Listener {
   public:
    virtual ~Listener() = default;
    virtual Behind on_head(const MessageHead& head) = 0;
    // All bytes that are no head, as they came, in order.
    virtual void on_raw(std::string_view bytes) = 0;
    // Those of them that are the message's own.
    virtual void on_body(std::string_view bytes) = 0;
    virtual void on_end() = 0;
    // From here on nothing is understood; what comes is raw.
    virtual void on_lost() = 0;
  };

  // `listener` outlives it.
  HttpFollower(Side side, Listener& listener, std::size_t most_head_bytes)
      : side_(side), listener_(listener), most_head_bytes_(most_head_bytes) {}

  void push(std::string_view bytes);
  // No more bytes. Ends a body that ends with the connection.
  void close();
  // All that comes is raw from now on.
  void tunnel() { state_ = State::raw; }

  // A message has begun, and has not ended.
  bool is_within() const { return state_ != State::head || !head_.empty(); }
  bool is_raw() const { return state_ == State::raw; }
  // The message at hand ends with the connection.
  bool ends_with_connection() const { return state_ == State::until_close; }

 private:
  enum class State { head, sized, chunk_size, chunk, chunk_end, trailer, until_close, raw };

  std::size_t take_head(std::string_view bytes);
  std::size_t take_sized(std::string_view bytes);
  std::size_t take_line(std::string_view bytes);
  void end_head();
  void end_line();
  void end_message();
  void lose();

  Side side_;
  Listener& listener_;
  std::size_t most_head_bytes_;
  State state_ = State::head;
  std::string head_;            // as far as it came
  std::string line_;            // of a chunk's size or a trailer, as far as it matters
  std::uint64_t left_ = 0;      // of a body or chunk
  std::size_t line_bytes_ = 0;  // of the line at hand
};

}  // namespace weft::net
