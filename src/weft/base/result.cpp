#include "weft/base/result.hpp"

namespace weft {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::invalid_input: return "invalid_input";
    case ErrorCode::corrupt: return "corrupt";
    case ErrorCode::denied: return "denied";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::internal: return "internal";
    case ErrorCode::conflict: return "conflict";
  }
  return "internal";
}

Error Error::within(std::string_view doing) && {
  std::string text(doing);
  text += ": ";
  text += message;
  return Error{code, std::move(text)};
}

}  // namespace weft
