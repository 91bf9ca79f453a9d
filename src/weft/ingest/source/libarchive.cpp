#include "weft/ingest/source/libarchive.hpp"

#include "weft/base/load/late_library.hpp"

namespace weft::ingest {
namespace {

struct Loaded {
  Libarchive functions;
  Status status;
};

const Loaded& loaded() {
  static const Loaded once = [] {
    Loaded result;
    LateLibrary library("libarchive.so.13", "libarchive13");
#define WEFT_FIND(name) library.find(result.functions.name, #name);
    WEFT_LIBARCHIVE(WEFT_FIND)
#undef WEFT_FIND
    result.status = library.status();
    return result;
  }();
  return once;
}

}  // namespace

Status load_libarchive() { return loaded().status; }

const Libarchive& libarchive() { return loaded().functions; }

}  // namespace weft::ingest
