# weft_embed(MODULE FUNCTION FILE NAMESPACE): compiles a text file into a module, as
# `std::string_view NAMESPACE::FUNCTION()`. A changed file is compiled again.
include_guard()

function(weft_embed module function file namespace)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include <string_view>
namespace @namespace@ {
std::string_view @function@();
std::string_view @function@() { return R\"embedded(@text@)embedded\"; }
}  // namespace @namespace@
")
  target_sources(weft_${module} PRIVATE ${source})
endfunction()
