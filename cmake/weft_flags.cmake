# weft_flags carries our warnings and sanitizers. Our own targets link it
# privately; third-party code never does.
add_library(weft_flags INTERFACE)

target_compile_options(weft_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  # clang counts it among conversions, g++ does not.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
  # A designated initialiser leaves out what it leaves at its default.
  -Wno-missing-field-initializers)

# Only with the compilers that weft is tested with, so that new warnings of another one break no build.
if(WEFT_WERROR AND "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 19)\\.")
  target_compile_options(weft_flags INTERFACE -Werror)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlap in plain std::string concatenation (GCC bug 105651), and reads
  # past the end where a string is moved out of an optional; asan has the last word.
  target_compile_options(weft_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()

if(WEFT_CHECKED)
  target_compile_definitions(weft_flags INTERFACE _GLIBCXX_ASSERTIONS)
else()
  # No path of the machine it was built on goes into the binary.
  target_compile_options(weft_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# The program that users run is hardened: a stack that is overwritten is noticed, calls of the C
# library with a known size are checked, jumps land only where they may (on processors that can
# tell), and the linker's tables are read-only before main().
if(NOT WEFT_CHECKED AND NOT WEFT_SANITIZE)
  target_compile_options(weft_flags INTERFACE -fstack-protector-strong)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
    target_compile_options(weft_flags INTERFACE -fcf-protection=full)
  endif()
  # Without optimisation there is nothing that could be checked, and the C library warns of it.
  if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
    target_compile_options(weft_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  endif()
  target_link_options(weft_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  # A library of which nothing is called by name is loaded late, or is only for tests.
  target_link_options(weft_flags INTERFACE -Wl,--as-needed)
endif()

if(WEFT_SANITIZE)
  target_compile_options(weft_flags INTERFACE
    -fsanitize=${WEFT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(weft_flags INTERFACE -fsanitize=${WEFT_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code misleads g++'s data flow; the dev preset has this warning.
    target_compile_options(weft_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# weft_library_flags are for the libraries. Fuzzers measure coverage of these alone.
add_library(weft_library_flags INTERFACE)
target_link_libraries(weft_library_flags INTERFACE weft_flags)
if(WEFT_FUZZ)
  target_compile_options(weft_library_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
