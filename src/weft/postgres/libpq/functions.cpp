#include "weft/postgres/libpq/functions.hpp"

#include "weft/base/load/late_library.hpp"

namespace weft::postgres {
namespace {

struct Loaded {
  Libpq functions;
  Status status;
};

const Loaded& loaded() {
  static const Loaded once = [] {
    Loaded result;
    LateLibrary library("libpq.so.5", "libpq5");
#define WEFT_FIND(name) library.find(result.functions.name, #name);
    WEFT_LIBPQ(WEFT_FIND)
#undef WEFT_FIND
    result.status = library.status();
    return result;
  }();
  return once;
}

}  // namespace

Status load_libpq() { return loaded().status; }

const Libpq& libpq() { return loaded().functions; }

}  // namespace weft::postgres
