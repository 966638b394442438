# hipsplat_gpu_plugin(<name> TARGETS <architectures> COMPILE <compiler and flags> LINK <command>): the plugin
# libhipsplat-<name>.so beside the program, its sources compiled by COMPILE. GPU_PLUGIN_LOGS_<name> (global property)
# are the compilers' reports for tests/gpu.
set(HIPSPLAT_GPU_SOURCES
  splat/backend/gpu/project.hip splat/backend/gpu/tile_lists.hip splat/backend/gpu/blend_forward.hip
  splat/backend/gpu/loss.hip splat/backend/gpu/blend_backward.hip splat/backend/gpu/blend_backward_ordered.hip
  splat/backend/gpu/update.hip splat/backend/gpu/model_rows.hip splat/backend/gpu/spatial_order.hip
  splat/core/gpu_sort.hip splat/backend/gpu/gpu_backend.cpp splat/backend/gpu/model_rows.cpp
  splat/backend/gpu/photos.cpp splat/backend/gpu/plugin.cpp splat/backend/gpu/targets.cpp
  splat/backend/adam_step.cpp splat/core/check.cpp)

# Program and plugin exchange C++ objects: a hash of what declares them tells whether they fit.
set(shared_headers splat/backend/backend.h splat/backend/gpu/plugin.h splat/model/camera.h splat/model/gaussians.h
  splat/model/image.h)
set(texts "")
foreach(header IN LISTS shared_headers)
  file(SHA256 ${CMAKE_SOURCE_DIR}/${header} hash)
  string(APPEND texts ${hash})
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${header})
endforeach()
string(SHA256 HIPSPLAT_BUILD_STAMP "${texts}")
string(SUBSTRING ${HIPSPLAT_BUILD_STAMP} 0 16 HIPSPLAT_BUILD_STAMP)
set(HIPSPLAT_BUILD_STAMP ${HIPSPLAT_BUILD_STAMP} CACHE INTERNAL "")

function(hipsplat_gpu_plugin name)
  cmake_parse_arguments(arg "" "" "TARGETS;COMPILE;LINK" ${ARGN})
  string(REPLACE ";" " " targets "${arg_TARGETS}")
  set(command ${arg_COMPILE} -std=c++20 -O3 -DNDEBUG -I${CMAKE_SOURCE_DIR} "-DSPLAT_GPU_NAME=\"${name}\""
    "-DSPLAT_GPU_TARGETS=\"${targets}\"" "-DSPLAT_BUILD_STAMP=\"${HIPSPLAT_BUILD_STAMP}\"")
  string(REPLACE ";" "|" command "${command}")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(MAKE_DIRECTORY ${folder})
  set(objects)
  set(logs)
  foreach(source IN LISTS HIPSPLAT_GPU_SOURCES)
    get_filename_component(file ${source} NAME)
    set(object ${folder}/${file}.o)
    add_custom_command(OUTPUT ${object} BYPRODUCTS ${folder}/${file}.log
      COMMAND ${CMAKE_COMMAND} "-DCOMMAND=${command}" -DSOURCE=${CMAKE_SOURCE_DIR}/${source} -DOBJECT=${object}
        -DLOG=${folder}/${file}.log -DDEPENDENCIES=${object}.d -P ${CMAKE_SOURCE_DIR}/cmake/compile_gpu_source.cmake
      DEPENDS ${CMAKE_SOURCE_DIR}/${source} ${CMAKE_SOURCE_DIR}/cmake/compile_gpu_source.cmake
      DEPFILE ${object}.d COMMENT "${name} ${file}" VERBATIM)
    list(APPEND objects ${object})
    list(APPEND logs ${folder}/${file}.log)
  endforeach()
  set(plugin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/libhipsplat-${name}.so)
  add_custom_command(OUTPUT ${plugin}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    COMMAND ${arg_LINK} ${objects} -o ${plugin}
    DEPENDS ${objects} COMMENT "libhipsplat-${name}.so for ${targets}" VERBATIM)
  add_custom_target(hipsplat_${name} ALL DEPENDS ${plugin})
  set_property(GLOBAL PROPERTY GPU_PLUGIN_LOGS_${name} ${logs})
  message(STATUS "Plugin libhipsplat-${name}.so for ${targets}")
endfunction()
