# The target blake3: the system's libblake3 where there is one, else the official
# C implementation, which Debian ships as source beside the Rust crate.
pkg_check_modules(libblake3 QUIET IMPORTED_TARGET libblake3)
if(TARGET PkgConfig::libblake3)
  add_library(blake3 INTERFACE)
  target_link_libraries(blake3 INTERFACE PkgConfig::libblake3)
  return()
endif()

file(GLOB candidates /usr/share/cargo/registry/blake3-*/c)
list(SORT candidates COMPARE NATURAL ORDER DESCENDING)
list(APPEND candidates "")
list(GET candidates 0 newest)
set(BLAKE3_SOURCE_DIR "${newest}" CACHE PATH "BLAKE3's official C sources")
if(NOT EXISTS ${BLAKE3_SOURCE_DIR}/blake3.c)
  message(FATAL_ERROR "No libblake3 and no BLAKE3 sources: install librust-blake3-dev, "
    "or set BLAKE3_SOURCE_DIR to the directory c/ of BLAKE3's repository.")
endif()

add_library(blake3 STATIC
  ${BLAKE3_SOURCE_DIR}/blake3.c
  ${BLAKE3_SOURCE_DIR}/blake3_dispatch.c
  ${BLAKE3_SOURCE_DIR}/blake3_portable.c)
target_include_directories(blake3 SYSTEM PUBLIC ${BLAKE3_SOURCE_DIR})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  foreach(instructions sse2 sse41 avx2 avx512)
    target_sources(blake3 PRIVATE ${BLAKE3_SOURCE_DIR}/blake3_${instructions}_x86-64_unix.S)
  endforeach()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  target_sources(blake3 PRIVATE ${BLAKE3_SOURCE_DIR}/blake3_neon.c)
  target_compile_definitions(blake3 PRIVATE BLAKE3_USE_NEON=1)
else()
  target_compile_definitions(blake3 PRIVATE BLAKE3_USE_NEON=0
    BLAKE3_NO_SSE2 BLAKE3_NO_SSE41 BLAKE3_NO_AVX2 BLAKE3_NO_AVX512)
endif()
