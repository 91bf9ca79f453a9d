# Installs weft, and makes a Debian package of it.
#
#   cmake --install build/release --prefix ~/.local
#   cd build/release; cpack
#
# Completion, man pages and the service are written by the program itself (tools/make_share), so they
# cannot be out of date. The package depends on the libraries that the program is linked with, as
# dpkg-shlibdeps finds them, and on those that it loads late (base/load/late_library.hpp).
if(NOT TARGET weft)
  return()
endif()
# What is installed is built by name; the tests are not.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(TARGETS weft RUNTIME DESTINATION bin)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/weft RENAME copyright)
install(CODE "
  # A package is made in a folder that is not where it will lie.
  set(weft_prefix \"\${CMAKE_INSTALL_PREFIX}\")
  if(CPACK_TEMPORARY_INSTALL_DIRECTORY OR weft_prefix MATCHES \"_CPack_Packages\")
    set(weft_prefix /usr)
  endif()
  execute_process(
    COMMAND \"${PROJECT_SOURCE_DIR}/tools/make_share\" \"$<TARGET_FILE:weft>\"
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" \"\${weft_prefix}/bin/weft\"
    COMMAND_ERROR_IS_FATAL ANY)")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_CONTACT "weft <weft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "searches, reads and verifies conversations with AI")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libarchive13")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "less, ca-certificates, git, libpq5")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
