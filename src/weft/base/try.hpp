// WEFT_TRY returns an error to the caller in one line. For .cpp files only; the reasons for a macro
// are in docs/decisions/0017-weft-try.md.
//
//   WEFT_TRY(write_header(out));                      // a Status
//   WEFT_TRY_VALUE(auto thought, store.get(cid));     // a Result<Thought>: `thought` is the
//   Thought
//
// The enclosing function returns a Status or any Result; on failure it returns the same error.
// Where the error needs context, write it out: `return fail(std::move(result).error().within(…))`.
#pragma once

#include <utility>

#include "weft/base/result.hpp"

#define WEFT_TRY(...)                                      \
  do {                                                     \
    if (auto weft_status = (__VA_ARGS__); !weft_status) {  \
      return ::weft::fail(std::move(weft_status).error()); \
    }                                                      \
  } while (false)

#define WEFT_TRY_VALUE(declaration, ...) \
  WEFT_TRY_VALUE_(WEFT_TRY_NAME_(weft_result_, __LINE__), declaration, __VA_ARGS__)

#define WEFT_TRY_JOIN_(a, b) a##b
#define WEFT_TRY_NAME_(a, b) WEFT_TRY_JOIN_(a, b)
#define WEFT_TRY_VALUE_(result, declaration, ...)              \
  auto result = (__VA_ARGS__);                                 \
  if (!result) return ::weft::fail(std::move(result).error()); \
  declaration = *std::move(result)
