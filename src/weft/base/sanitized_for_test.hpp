// is_sanitized() reports that a sanitizer is built in, so everything takes several times as
// long.
#pragma once

namespace weft {

consteval bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)  // as clang says it
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

}  // namespace weft
