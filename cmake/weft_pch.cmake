# Precompiled headers: what nearly every file includes, compiled once: Boost.JSON and the standard
# library's for the libraries, GoogleTest too for tests (two seconds a file). They are
# named as files name them, without a path: so ccache knows them in another tree too
# (CCACHE_SLOPPINESS in CMakeLists.txt, and the flags below).
include_guard()

function(weft_add_pch name flags)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${flags})
  if(CCACHE)
    # A compiler uses a precompiled header only with the very files that it was made of, so comments
    # count too; the namespace keeps headers cached without them from being served.
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER
      "${PROJECT_SOURCE_DIR}/tools/compile_pch;${CMAKE_COMMAND};-E;env;CCACHE_COMMENTS=1;CCACHE_NAMESPACE=pch;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <charconv> <chrono> <cstdint> <deque> <filesystem> <fstream> <functional>
    <map> <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread>
    <unordered_map> <unordered_set> <utility> <variant> <vector>
    <fmt/format.h> <weft/base/json.hpp> ${ARGN})
endfunction()

# The same macros for all of our files; otherwise a compiler ignores the header.
target_link_libraries(weft_flags INTERFACE Boost::json fmt::fmt)

if(WEFT_PCH)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(weft_flags INTERFACE -fpch-preprocess)
  else()
    # clang treats the precompiled headers as our own code, and would warn about the standard library.
    target_compile_options(weft_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp"
      -Wno-deprecated-declarations)
    # Without the header's source, whose absolute path ccache would count.
    set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
  endif()
  weft_add_pch(weft_pch weft_library_flags)
  if(WEFT_TESTS)
    weft_add_pch(weft_test_pch weft_flags <gtest/gtest.h> <gmock/gmock.h> <places.hpp>)
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
