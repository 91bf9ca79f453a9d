// LateLibrary: a shared library that is loaded when it is first needed. The program is not linked
// with libraries that few commands need and that bring many others: every start, of a hook too,
// would pay for them (docs/decisions/0070-libraries-loaded-late.md).
//
//   struct Functions {
//     decltype(&::archive_read_new) read_new = nullptr;
//   };
//   LateLibrary library("libarchive.so.13", "libarchive13");
//   library.find(functions.read_new, "archive_read_new");
//   WEFT_TRY(library.status());
#pragma once

#include <string>

#include "weft/base/result.hpp"

namespace weft {

class LateLibrary {
 public:
  // Loads `file` where the system has it, and keeps it until the process ends. `package` is what
  // Debian calls it, for the error.
  LateLibrary(const char* file, const char* package);

  // Sets `function` to that of this name; null if it is missing.
  template <class Function>
  void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(find(name));
  }
  // unavailable if the library or one of its functions is missing.
  [[nodiscard]] Status status() const;

 private:
  void* find(const char* name);

  const char* package_;
  void* handle_;
  std::string missing_;  // what is missing, as the system says it
};

}  // namespace weft
