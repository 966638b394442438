# HIPSPLAT_UNITY: the sources of a room (a folder of a library) in one translation unit, as ./check and ./quickstart build.
# From scratch much less work, since headers are parsed once; for work on one source the default is quicker.
option(HIPSPLAT_UNITY "Compile the sources of a folder together: quick from scratch" OFF)

# hipsplat_unity(<target>): after all of its sources are named. Sources beside other rooms' are never mixed, so that names
# need to be unique in their room only.
function(hipsplat_unity target)
  if(NOT HIPSPLAT_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    if(source MATCHES "^\\$<")
      continue()
    endif()
    get_filename_component(path ${source} ABSOLUTE BASE_DIR ${folder})
    get_filename_component(room ${path} DIRECTORY)
    file(RELATIVE_PATH room ${CMAKE_SOURCE_DIR} ${room})
    string(MAKE_C_IDENTIFIER "${room}" room)
    set_source_files_properties(${path} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()

# hipsplat_compile_alone(<target> <file>...): sources whose own names another source of the room has as well.
function(hipsplat_compile_alone target)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
