# Headers that nearly every file reads, compiled once: Boost.JSON and the standard
# containers for the libraries (a quarter of a file's time), GoogleTest too for tests.
# ccache takes them along (CCACHE_SLOPPINESS in CMakeLists.txt, -fpch-preprocess here).
include_guard()

function(weft_add_pch name)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE weft_flags)
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <string>
    <string_view> <unordered_map> <utility> <variant> <vector>
    "${PROJECT_SOURCE_DIR}/src/weft/base/json.hpp" ${ARGN})
endfunction()

# The same macros for all of our files, or a compiler does not take the header.
target_link_libraries(weft_flags INTERFACE Boost::json)

# clang-tidy reads a file's own includes only.
if(NOT CMAKE_CXX_CLANG_TIDY)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(weft_flags INTERFACE -fpch-preprocess)
  endif()
  weft_add_pch(weft_pch)
  if(WEFT_TESTS)
    weft_add_pch(weft_test_pch <gtest/gtest.h> <gmock/gmock.h>)
    target_link_libraries(weft_test_pch PRIVATE GTest::gmock)
    target_compile_options(weft_test_pch PRIVATE -O0)  # as tests are compiled
  endif()
endif()

# weft_use_pch(TARGET PCH): PCH is weft_pch or weft_test_pch.
function(weft_use_pch target pch)
  if(TARGET ${pch})
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()
