# Run by cpack when the files of a package lie in a folder: what cannot be an install() rule, since it belongs to one
# kind of package or must come last.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
find_program(CPACK_HIPSPLAT_STRIP strip REQUIRED)

file(GLOB_RECURSE plugins ${root}/libhipsplat-*.so)  # installed as files, which cpack does not strip
foreach(plugin IN LISTS plugins)
  execute_process(COMMAND ${CPACK_HIPSPLAT_STRIP} --strip-unneeded ${plugin} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Debian: licence and changelog in the folder of each package, plugins among the libraries of
# their architecture.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(library ${root}/library/usr/lib/libhipsplat.so.${CPACK_PACKAGE_VERSION})
  foreach(file ${root}/hipsplat/usr/bin/hipsplat ${library})
    file(RPATH_REMOVE FILE ${file})  # the libraries are the system's
  endforeach()
  # pkg-config looks where the architecture's files are.
  set(where ${root}/development/usr/lib)
  file(READ ${where}/pkgconfig/hipsplat.pc text)
  string(REGEX REPLACE "prefix=[^\n]*pcfiledir[^\n]*" "prefix=/usr" text "${text}")
  file(WRITE ${where}/${CPACK_HIPSPLAT_TRIPLET}/pkgconfig/hipsplat.pc "${text}")
  file(REMOVE_RECURSE ${where}/pkgconfig)
  file(WRITE ${root}/shlibdeps/debian/control "")
  execute_process(COMMAND ${CPACK_HIPSPLAT_SHLIBDEPS} -O ${library} WORKING_DIRECTORY ${root}/shlibdeps
    OUTPUT_VARIABLE needed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "shlibs:Depends=" "" CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "${needed}")
  file(REMOVE_RECURSE ${root}/shlibdeps)
  execute_process(COMMAND env LC_ALL=C date -R -u -d @$ENV{SOURCE_DATE_EPOCH} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    if(CPACK_HIPSPLAT_TRIPLET AND EXISTS ${root}/${component}/usr/lib/hipsplat)
      file(MAKE_DIRECTORY ${root}/${component}/usr/lib/${CPACK_HIPSPLAT_TRIPLET})
      file(RENAME ${root}/${component}/usr/lib/hipsplat ${root}/${component}/usr/lib/${CPACK_HIPSPLAT_TRIPLET}/hipsplat)
    endif()
    set(papers ${root}/${component}/usr/share/doc/${package})
    file(REMOVE ${papers}/LICENSE)  # the same text as in /usr/share/common-licenses
    file(COPY ${CPACK_HIPSPLAT_SOURCE}/packaging/debian/copyright DESTINATION ${papers}
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    file(WRITE ${papers}/changelog "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
      "  * See /usr/share/doc/hipsplat/CHANGELOG.md.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    execute_process(COMMAND gzip -9n ${papers}/changelog COMMAND_ERROR_IS_FATAL ANY)
    if(EXISTS ${papers}/CHANGELOG.md)
      execute_process(COMMAND gzip -9n ${papers}/CHANGELOG.md COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/modes_and_times.cmake)
