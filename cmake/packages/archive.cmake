# Run by cpack: hipsplat-<version>-linux-<processor>.tar.zst of the staged files and the libraries that the program needs
# and not every desktop has, with their licences. It opens as one folder, which may lie anywhere.
cmake_policy(VERSION 3.22)
set(root ${CPACK_TEMPORARY_DIRECTORY})
set(libraries ${root}/lib/hipsplat/libraries)
set(licences ${root}/share/doc/hipsplat/libraries)

# Those of the C and C++ compilers, the display, fonts and GLib must be the system's.
set(of_the_system "^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+|X11|xcb|Xau|Xdmcp|bsd|md|GL.*|gio-2.0|gobject-2.0|glib-2.0)")
string(APPEND of_the_system "\\.so.*|lib(fontconfig|freetype|expat|png16|brotli.*|z)\\.so.*)$")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${root}/bin/hipsplat RESOLVED_DEPENDENCIES_VAR needed
  PRE_EXCLUDE_REGEXES ${of_the_system})

function(add_licence library)
  file(REAL_PATH ${library} file)
  string(REGEX REPLACE "^/usr" "" without_usr ${file})
  execute_process(COMMAND dpkg-query -S ${file} ${without_usr} OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX MATCH "^[^:]+" package "${owner}")
  if(package AND EXISTS /usr/share/doc/${package}/copyright)
    file(COPY_FILE /usr/share/doc/${package}/copyright ${licences}/${package}.copyright)
    file(READ ${licences}/${package}.copyright text)
    string(REGEX MATCHALL "/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]" texts "${text}")
    foreach(text IN LISTS texts)
      cmake_path(GET text FILENAME name)
      file(REAL_PATH ${text} file)
      file(COPY_FILE ${file} ${licences}/${name})
    endforeach()
  else()
    message(WARNING "no licence was found for '${library}', which is in the archive")
  endif()
endfunction()

file(MAKE_DIRECTORY ${licences})
foreach(library IN LISTS needed)
  file(COPY ${library} DESTINATION ${libraries} FOLLOW_SYMLINK_CHAIN)
  add_licence(${library})
endforeach()
set(CPACK_TEMPORARY_INSTALL_DIRECTORY ${root})
include(${CMAKE_CURRENT_LIST_DIR}/modes_and_times.cmake)

execute_process(COMMAND uname -m OUTPUT_VARIABLE processor OUTPUT_STRIP_TRAILING_WHITESPACE)
set(name hipsplat-${CPACK_PACKAGE_VERSION}-linux-${processor})
set(archive ${CPACK_PACKAGE_DIRECTORY}/${name}.tar.zst)
execute_process(COMMAND tar --create --sort=name --owner=0 --group=0 --numeric-owner --format=gnu
    "--transform=flags=rSh;s,^\\.,${name}," "--use-compress-program=zstd -${CPACK_HIPSPLAT_ZSTD_LEVEL} -q" --file ${archive} --directory ${root} .
  COMMAND_ERROR_IS_FATAL ANY)
set(CPACK_EXTERNAL_BUILT_PACKAGES ${archive})
