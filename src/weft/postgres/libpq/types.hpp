// PostgreSQL's types that weft binds and reads, by their fixed numbers (pg_type.dat).
#pragma once

#include <libpq-fe.h>

namespace weft::postgres {

enum TypeId : Oid {
  kInferred = 0,  // the server decides
  kBool = 16,
  kBytea = 17,
  kName = 19,
  kInt8 = 20,
  kInt2 = 21,
  kInt4 = 23,
  kText = 25,
  kVarchar = 1043,
  kNumeric = 1700,
};

}  // namespace weft::postgres
