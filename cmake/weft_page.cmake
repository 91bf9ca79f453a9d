# weft_page(MODULE): builds page/ with Node and embeds its files in a module: a table of
# them in C++, and their bytes in assembly. With WEFT_PAGE=OFF, one plain page that says so takes their place, and Node is not
# needed.
include_guard()

function(weft_page module)
  set(written ${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp)
  if(NOT WEFT_PAGE)
    file(READ ${PROJECT_SOURCE_DIR}/cmake/no_page.html text)
    string(SHA256 hash "${text}")
    file(CONFIGURE OUTPUT ${written} @ONLY CONTENT [[
// Written by CMake.
#include "weft/page/site/files.hpp"

namespace weft::page {

std::span<const File> all_files() {
  static constexpr File file{.path = "/",
                             .type = "text/html; charset=utf-8",
                             .hash = "@hash@",
                             .bytes = R"embedded(@text@)embedded"};
  return {&file, 1};
}

std::string_view build_of_page() { return "none"; }
std::string_view proof_page() { return {}; }
std::string_view reader_page() { return {}; }

}  // namespace weft::page
]])
    target_sources(weft_${module} PRIVATE ${written})
    return()
  endif()

  find_program(NODE node REQUIRED)
  set(page ${PROJECT_SOURCE_DIR}/page)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${page}/src/*)
  file(GLOB tools CONFIGURE_DEPENDS ${page}/tools/*.mjs ${page}/*.mjs ${page}/*.json)
  file(GLOB checks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/verify/*.mjs)
  set(built ${CMAKE_CURRENT_BINARY_DIR}/page_built)
  set(embed ${PROJECT_SOURCE_DIR}/cmake/embed_page.mjs)
  set(assembly ${CMAKE_CURRENT_BINARY_DIR}/page_files.S)
  add_custom_command(OUTPUT ${written} ${assembly}
    COMMAND ${NODE} ${page}/build.mjs ${built}
    COMMAND ${NODE} ${embed} ${built} ${written} ${assembly}
    DEPENDS ${sources} ${tools} ${checks} ${embed}
    COMMENT "Building the page"
    VERBATIM)
  # ccache leaves files with .incbin alone, so that changed bytes are never missed.
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS ${written})
  target_sources(weft_${module} PRIVATE ${written} ${assembly})
endfunction()
