#include "weft/base/load/late_library.hpp"

#include <dlfcn.h>

namespace weft {

LateLibrary::LateLibrary(const char* file, const char* package)
    : package_(package), handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) missing_ = ::dlerror();
}

void* LateLibrary::find(const char* name) {
  if (handle_ == nullptr) return nullptr;
  void* found = ::dlsym(handle_, name);
  if (found == nullptr && missing_.empty()) missing_ = ::dlerror();
  return found;
}

Status LateLibrary::status() const {
  if (missing_.empty()) return {};
  return fail(ErrorCode::unavailable,
              "a library is missing: " + missing_ + "; install the package " + package_);
}

}  // namespace weft
