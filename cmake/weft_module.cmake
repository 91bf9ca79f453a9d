# weft_module(NAME [DEPS module…] [LIBS library…] [TABLE thing directory…] [PROGRAM name]
#             [WITHOUT room] [POSTGRES])
#
# The whole CMakeLists.txt of a module. Its sources are all *.cpp at any depth; a
# module with none yet is headers only.
#
#   weft_NAME   library of the sources; *_test.cpp and main.cpp are not among them
#   NAME_test   all *_test.cpp in one program, each test known to ctest
#
# DEPS are the modules it may include: those added before it, so there is no
# cycle. tools/check_modules checks the #include lines against them.
# TABLE: see weft_table below. PROGRAM: what main.cpp becomes, once there is one. WITHOUT: a room
# that is left out of this build. POSTGRES: its tests ask the server of weft_test_server below.
include_guard()

function(weft_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "POSTGRES" "PROGRAM;WITHOUT" "DEPS;LIBS;TABLE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_module(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  foreach(module IN LISTS arg_DEPS)
    if(NOT TARGET weft_${module})
      message(FATAL_ERROR "weft_module(${name}): ${module} is no module above it")
    endif()
  endforeach()
  list(TRANSFORM arg_DEPS PREPEND weft_)

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${arg_WITHOUT}/")
  endif()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  set(tables "")
  while(arg_TABLE)
    list(POP_FRONT arg_TABLE thing pattern)
    weft_table(${name} table ${thing} ${pattern})
    list(APPEND sources ${table})
    file(GLOB entries CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
    list(APPEND tables ${entries} ${table})
  endwhile()

  set(library weft_${name})
  if(sources)
    if(WEFT_JOIN_ROOMS)
      weft_join_rooms(joined "${sources}" "${tables}")
    endif()
    add_library(${library} STATIC ${sources} ${joined})
    if(joined)
      # g++ takes a joined file for a header, in which anonymous namespaces would be a mistake.
      target_compile_options(${library} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    target_include_directories(${library} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${library} PUBLIC ${arg_DEPS} PRIVATE ${arg_LIBS} weft_library_flags)
    weft_use_pch(${library} weft_pch)
    weft_ask_tidy_again(${sources} ${joined})
  else()
    add_library(${library} INTERFACE)
    target_include_directories(${library} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${library} INTERFACE ${arg_DEPS} ${arg_LIBS})
  endif()
  set_property(GLOBAL APPEND PROPERTY WEFT_MODULES ${library})

  if(arg_PROGRAM)
    weft_program(${arg_PROGRAM} ${library} "${arg_LIBS}")
  endif()
  if(WEFT_TESTS AND tests)
    set(server "")
    if(arg_POSTGRES AND WEFT_POSTGRES)
      set(server POSTGRES)
    endif()
    weft_test(${name} SOURCES ${tests} LIBS ${library} ${arg_LIBS} ${server})
  endif()
endfunction()

# weft_join_rooms(OUT SOURCES APART): for each directory of SOURCES a file that includes all of its
# sources, so that their headers are parsed and their templates compiled once: a third of the time
# of a build from scratch. OUT are these files; the sources themselves are no longer compiled,
# except those in APART, which are alike (one command, one tool) and define the same names. Names
# in the anonymous namespaces of one room therefore differ. Files are named by their path below
# src/, which is the same in every tree, for ccache.
function(weft_join_rooms out sources apart)
  list(REMOVE_ITEM sources ${apart})
  # g++ 12 confuses the coroutines of joined files with each other.
  foreach(source IN LISTS sources)
    file(STRINGS ${source} coroutines REGEX "co_await|co_return" LIMIT_COUNT 1)
    if(coroutines)
      list(REMOVE_ITEM sources ${source})
    endif()
  endforeach()
  set(rooms "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/src OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH room)
    string(MAKE_C_IDENTIFIER ${room} room)
    list(APPEND rooms ${room})
    string(APPEND includes_${room} "#include \"${path}\"\n")
    set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  set(files "")
  foreach(room IN LISTS rooms)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${room}.cpp)
    file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "${includes_${room}}")
    list(APPEND files ${file})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# The program `program` from main.cpp of this directory, at the top of the build
# directory. Only here is WEFT_VERSION defined.
function(weft_program program library libs)
  file(GLOB main CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    target_compile_definitions(${library} PRIVATE WEFT_VERSION="${PROJECT_VERSION}")
  endif()
  if(NOT main)
    return()
  endif()
  add_executable(${program} ${main})
  target_compile_definitions(${program} PRIVATE WEFT_VERSION="${PROJECT_VERSION}")
  target_link_libraries(${program} PRIVATE ${library} ${libs} weft_flags)
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  weft_ask_tidy_again(${main})
  if(NOT WEFT_CHECKED AND NOT WEFT_SANITIZE)
    weft_strip(${program})
  endif()
endfunction()

# weft_strip(PROGRAM): moves the symbols of a program into PROGRAM.debug beside it, where debuggers
# look for them.
function(weft_strip program)
  if(NOT CMAKE_OBJCOPY OR NOT CMAKE_STRIP)
    return()
  endif()
  add_custom_command(TARGET ${program} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} --only-keep-debug ${program} ${program}.debug
    COMMAND ${CMAKE_STRIP} --strip-unneeded ${program}
    COMMAND ${CMAKE_OBJCOPY} --add-gnu-debuglink=${program}.debug ${program}
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    BYPRODUCTS ${PROJECT_BINARY_DIR}/${program}.debug
    VERBATIM)
endfunction()

# weft_test(NAME SOURCES file… LIBS library… [POSTGRES]): the program NAME_test, whose tests
# ctest knows as NAME.Suite.Test, or in shares. tests/places.hpp gives the path of the fixtures.
# POSTGRES: they ask the server of weft_test_server.
function(weft_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "POSTGRES" "" "SOURCES;LIBS")
  if(NOT TARGET weft_places)
    set(places ${PROJECT_BINARY_DIR}/weft_places.cpp)
    file(CONFIGURE OUTPUT ${places} CONTENT [[#include "@PROJECT_SOURCE_DIR@/tests/places.hpp"
const char weft_source_dir[] = "@PROJECT_SOURCE_DIR@";
const char weft_with_parrot[] = "@PROJECT_BINARY_DIR@/tests/weft_with_parrot";
#include <cstdlib>
#include <random>
#include <string_view>
const char* weft_binary() {
  const char* named = std::getenv("WEFT_TESTED");
  return named != nullptr ? named : "@WEFT_TESTED@";
}
bool weft_is_sanitized() {
  if (std::getenv("WEFT_TESTED") != nullptr) return std::getenv("WEFT_TESTED_SANITIZED") != nullptr;
  return "@WEFT_TESTED@" == std::string_view("@PROJECT_BINARY_DIR@/weft") && *"@WEFT_SANITIZE@" != 0;
}
unsigned test_seed() {
  const char* named = std::getenv("WEFT_SEED");
  return named != nullptr ? static_cast<unsigned>(std::strtoul(named, nullptr, 10)) : std::random_device()();
}
bool test_is_long() { return std::getenv("WEFT_LONG") != nullptr; }
]] @ONLY)
    add_library(weft_places STATIC ${places})
    set_target_properties(weft_places PROPERTIES CXX_CLANG_TIDY "")
  endif()
  add_executable(${name}_test ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${arg_LIBS} weft_places GTest::gmock
    GTest::gtest_main weft_flags)
  # The libraries are optimised, the tests are not: half the time under asan.
  target_compile_options(${name}_test PRIVATE -O0)
  weft_use_pch(${name}_test weft_test_pch)
  if(NOT TARGET weft_test_pch)  # it has this among its headers
    target_compile_options(${name}_test PRIVATE
      "SHELL:-include ${PROJECT_SOURCE_DIR}/tests/places.hpp")
  endif()
  # gtest.h costs clang-tidy seven seconds a file; the compilers' warnings stay.
  set_target_properties(${name}_test PROPERTIES CXX_CLANG_TIDY "")
  set(server "")
  set(environment "")
  if(arg_POSTGRES)
    weft_test_server(directory)
    set(server FIXTURES_REQUIRED postgres)
    set(environment WEFT_TEST_POSTGRES=${directory})
  endif()
  if(NOT WEFT_SANITIZE)
    if(environment)
      list(APPEND server ENVIRONMENT ${environment})
    endif()
    gtest_discover_tests(${name}_test
      TEST_PREFIX ${name}.
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 120
      PROPERTIES TIMEOUT 600 ${server})
    return()
  endif()
  # A sanitized program takes longer to start than most tests take, so several tests share a process.
  # Each share writes what it ran to gtest/, and ./test adds it up.
  set(shares 12)
  foreach(share RANGE 1 ${shares})
    math(EXPR index "${share} - 1")
    add_test(NAME ${name}.${share} COMMAND ${name}_test)
    set_tests_properties(${name}.${share} PROPERTIES TIMEOUT 1800 ${server} ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${shares};GTEST_SHARD_INDEX=${index};GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/gtest/${name}.${share}.xml;${environment}")
  endforeach()
endfunction()

# weft_test_server(OUT): one PostgreSQL server for all tests of a build directory. ctest starts it
# before the first test that needs it, and stops it behind the last one, failed or not. OUT: the
# directory of its socket, whose path must be short.
function(weft_test_server out)
  string(MD5 hash ${PROJECT_BINARY_DIR})
  string(SUBSTRING ${hash} 0 8 hash)
  set(directory /tmp/weft-postgres-${hash})
  set(${out} ${directory} PARENT_SCOPE)
  get_property(is_there GLOBAL PROPERTY WEFT_TEST_SERVER)
  if(is_there)
    return()
  endif()
  set_property(GLOBAL PROPERTY WEFT_TEST_SERVER yes)
  set(tool ${PROJECT_SOURCE_DIR}/tools/postgres_for_test)
  add_test(NAME postgres_server.start COMMAND ${tool} start ${directory})
  add_test(NAME postgres_server.stop COMMAND ${tool} stop ${directory})
  set_tests_properties(postgres_server.start PROPERTIES FIXTURES_SETUP postgres)
  set_tests_properties(postgres_server.stop PROPERTIES FIXTURES_CLEANUP postgres)
endfunction()

# weft_table(MODULE OUT THING PATTERN [FILE…]): writes a table of the THINGs that are defined in
# the files of MODULE that match PATTERN, so that a new one is one new file (an adapter: one new
# folder) and no list is edited. FILEs are searched too.
#
# A file defines one for each line `const Thing& NAME_THING() {`. The table, in the order of the
# names, is
#
#   namespace weft::MODULE { std::span<const Thing* const> all_THINGs(); }
#
# and the header THING.hpp, in whichever room of the module it lies, declares it. OUT is set to
# the written source, or to nothing as long as there is no such header.
function(weft_table module out thing pattern)
  set(${out} "" PARENT_SCOPE)
  set(source_dir ${PROJECT_SOURCE_DIR}/src/weft/${module})
  file(GLOB_RECURSE header CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src
    ${source_dir}/${thing}.hpp)
  if(NOT header)
    return()
  endif()

  file(GLOB files CONFIGURE_DEPENDS ${source_dir}/${pattern})
  list(FILTER files EXCLUDE REGEX "_test\\.cpp$")
  list(APPEND files ${ARGN})
  set(functions "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} found REGEX "^const [A-Z][a-z]+& [a-z0-9_]+_${thing}\\(\\) {")
    list(TRANSFORM found REPLACE "^const [A-Z][a-z]+& ([a-z0-9_]+)\\(\\) {.*" "\\1")
    list(APPEND functions ${found})
  endforeach()
  list(SORT functions)

  string(SUBSTRING ${thing} 0 1 first)
  string(SUBSTRING ${thing} 1 -1 rest)
  string(TOUPPER ${first} first)
  set(type ${first}${rest})
  list(LENGTH functions count)
  set(declarations "")
  set(entries "")
  foreach(function IN LISTS functions)
    string(APPEND declarations "const ${type}& ${function}();\n")
    string(APPEND entries "      &${function}(),\n")
  endforeach()
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${thing}_table.cpp)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT [[
// Written by CMake from the names of the files that define one.
#include <array>
#include <span>

#include "@header@"

namespace weft::@module@ {

@declarations@
std::span<const @type@* const> all_@thing@s() {
  static const std::array<const @type@*, @count@> table = {
@entries@  };
  return table;
}

}  // namespace weft::@module@
]])
  set(${out} ${table} PARENT_SCOPE)
endfunction()

# clang-tidy checks a file when it is compiled, and again when .clang-tidy changes.
function(weft_ask_tidy_again)
  if(CMAKE_CXX_CLANG_TIDY)
    set_property(SOURCE ${ARGN} APPEND PROPERTY OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/.clang-tidy)
  endif()
endfunction()
