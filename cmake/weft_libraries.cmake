# Third-party libraries, under the names that LIBS in weft_module() uses:
# Boost::json fmt::fmt CLI11::CLI11 PkgConfig::{sodium,sqlite3,zstd,utf8proc,xxhash,archive,brotli} blake3
# OpenSSL::SSL ZLIB::ZLIB, and with WEFT_POSTGRES PkgConfig::libpq
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(archive REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(brotli REQUIRED IMPORTED_TARGET libbrotlidec)
include(blake3)

pkg_check_modules(libpq IMPORTED_TARGET libpq)
option(WEFT_POSTGRES "Databases on PostgreSQL; on where libpq is found" ${libpq_FOUND})
if(WEFT_POSTGRES AND NOT libpq_FOUND)
  message(FATAL_ERROR "WEFT_POSTGRES needs libpq (Debian: libpq-dev)")
endif()

# Headers only; Debian ships it without a CMake package in some releases.
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
if(NOT TARGET CLI11::CLI11)
  add_library(CLI11::CLI11 INTERFACE IMPORTED)
  target_include_directories(CLI11::CLI11 SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})
endif()

if(WEFT_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(WEFT_BENCH)
  find_package(benchmark)
endif()
