// The functions of libpq that weft uses. It is loaded when the first server is asked, for it brings
// many other libraries (base/load/late_library.hpp).
#pragma once

#include <libpq-fe.h>

#include "weft/base/result.hpp"

namespace weft::postgres {

// clang-format off
#define WEFT_LIBPQ(X) \
  X(PQclear) \
  X(PQcmdStatus) \
  X(PQcmdTuples) \
  X(PQconnectPoll) \
  X(PQconnectStartParams) \
  X(PQconsumeInput) \
  X(PQenterPipelineMode) \
  X(PQerrorMessage) \
  X(PQexitPipelineMode) \
  X(PQfinish) \
  X(PQflush) \
  X(PQfreemem) \
  X(PQftype) \
  X(PQgetResult) \
  X(PQgetisnull) \
  X(PQgetlength) \
  X(PQgetvalue) \
  X(PQhostaddr) \
  X(PQisBusy) \
  X(PQnfields) \
  X(PQnotifies) \
  X(PQntuples) \
  X(PQpipelineSync) \
  X(PQresultErrorField) \
  X(PQresultErrorMessage) \
  X(PQresultStatus) \
  X(PQsendPrepare) \
  X(PQsendQuery) \
  X(PQsendQueryParams) \
  X(PQsendQueryPrepared) \
  X(PQsetErrorVerbosity) \
  X(PQsetNoticeReceiver) \
  X(PQsetnonblocking) \
  X(PQsocket) \
  X(PQsslInUse) \
  X(PQstatus)
// clang-format on

struct Libpq {
#define WEFT_MEMBER(name) decltype(&::name) name = nullptr;
  WEFT_LIBPQ(WEFT_MEMBER)
#undef WEFT_MEMBER
};

// unavailable if the library is missing. Any thread may call it.
[[nodiscard]] Status load_libpq();
// Precondition: load_libpq() succeeded.
const Libpq& libpq();

}  // namespace weft::postgres
