// Result and Error: the return type of every function that can fail.
//
//   Result<Thought> thought = store.get(cid);
//   if (!thought) return fail(std::move(thought).error().within("opening session " + name));
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace weft {

enum class ErrorCode {
  not_found,      // the thing asked for is not there; not always a problem
  invalid_input,  // the caller or a foreign file broke a rule
  corrupt,        // our own bytes fail their hash, signature or seal
  denied,         // a key or a permission is missing
  unavailable,    // may work later: the disk is full, a lock is held
  internal,       // we broke a rule of our own
  conflict,       // another writer was first: read the new state, then do it again
};

// The code's name as written above: "not_found".
std::string_view to_string(ErrorCode code);

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  // one line: what was attempted, on what, and why not

  // The same error with context in front: "reading index: no such file".
  Error within(std::string_view doing) &&;
};

template <class T = void>
using Result = std::expected<T, Error>;
using Status = Result<>;

inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }
inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

}  // namespace weft
