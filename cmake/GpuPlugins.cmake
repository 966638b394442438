# hipsplat_gpu_plugin(<name> TARGETS <architectures> COMPILE <compiler and flags> LINK <command>): the plugin
# libhipsplat-<name>.so beside the program, its sources compiled by COMPILE. GPU_PLUGIN_LOGS_<name> (global property)
# are the compilers' reports for tests/gpu, GPU_PLUGIN_TARGETS_<name> the architectures, GPU_PLUGIN_FOLDER_<name> where
# the object files are.
set(gpu ${CMAKE_SOURCE_DIR}/splat/backend/gpu)
set(HIPSPLAT_GPU_KERNELS
  ${gpu}/project.hip ${gpu}/tile_lists.hip ${gpu}/blend_forward.hip ${gpu}/loss.hip ${gpu}/blend_backward.hip
  ${gpu}/blend_backward_ordered.hip ${gpu}/pose.hip ${gpu}/update.hip ${gpu}/model_rows.hip ${gpu}/spatial_order.hip
  ${gpu}/contributions.hip ${gpu}/depth.hip ${gpu}/planes.hip ${gpu}/row_judge.hip
  ${gpu}/raster_project.hip ${gpu}/raster_walks.hip ${gpu}/raster_pixels.hip ${gpu}/raster_chain.hip
  ${gpu}/triangles.hip ${gpu}/triangle_values.hip
  CACHE INTERNAL "Sources of kernels")
set(HIPSPLAT_GPU_HOST_SOURCES ${gpu}/gpu_backend.cpp ${gpu}/device.cpp ${gpu}/gpu_on_device.cpp ${gpu}/kernel_args.cpp ${gpu}/model_rows.cpp
  ${gpu}/photos.cpp ${gpu}/row_judge.cpp ${gpu}/stages.cpp ${gpu}/view_reader.cpp
  ${gpu}/raster_frame.cpp ${gpu}/gpu_rasteriser.cpp ${gpu}/gpu_triangles.cpp
  CACHE INTERNAL "What launches the kernels")
# What the emulator of the tests replaces or links anyway.
set(gpu_plugin_sources ${CMAKE_SOURCE_DIR}/splat/core/gpu_sort.hip ${gpu}/plugin.cpp ${gpu}/targets.cpp
  ${CMAKE_SOURCE_DIR}/splat/backend/adam_step.cpp ${CMAKE_SOURCE_DIR}/splat/backend/row_copies.cpp ${CMAKE_SOURCE_DIR}/splat/core/check.cpp)

include(${CMAKE_SOURCE_DIR}/cmake/BuildStamp.cmake)
hipsplat_build_stamp(HIPSPLAT_BUILD_STAMP ${CMAKE_SOURCE_DIR} splat/backend/backend.h splat/math/adam.h
  splat/backend/row_rules.h splat/backend/surface_settings.h splat/backend/gpu/plugin.h
  splat/raster/raster.h splat/raster/triangles/triangles.h splat/raster/triangles/rasteriser.h splat/core/device_error.h)
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
  foreach(source IN LISTS HIPSPLAT_GPU_KERNELS HIPSPLAT_GPU_HOST_SOURCES gpu_plugin_sources)
    get_filename_component(file ${source} NAME)
    set(object ${folder}/${file}.o)
    add_custom_command(OUTPUT ${object} BYPRODUCTS ${folder}/${file}.log
      COMMAND ${CMAKE_COMMAND} "-DCOMMAND=${command}" -DSOURCE=${source} -DOBJECT=${object}
        -DLOG=${folder}/${file}.log -DDEPENDENCIES=${object}.d -P ${CMAKE_SOURCE_DIR}/cmake/compile_gpu_source.cmake
      DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/compile_gpu_source.cmake
      DEPFILE ${object}.d COMMENT "${name} ${file}" VERBATIM)
    list(APPEND objects ${object})
    list(APPEND logs ${folder}/${file}.log)
  endforeach()
  set(exports ${folder}/plugin.map)
  configure_file(${CMAKE_SOURCE_DIR}/splat/backend/gpu/plugin.map ${exports} COPYONLY)
  set(plugin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/libhipsplat-${name}.so)
  add_custom_command(OUTPUT ${plugin}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    # By its name alone: nvcc cuts what it hands to the linker at blanks.
    COMMAND ${arg_LINK} -Xlinker --version-script=plugin.map ${objects} -o ${plugin}
    DEPENDS ${objects} ${exports} WORKING_DIRECTORY ${folder} COMMENT "libhipsplat-${name}.so for ${targets}" VERBATIM)
  add_custom_target(hipsplat_${name} ALL DEPENDS ${plugin})
  set_property(GLOBAL PROPERTY GPU_PLUGIN_LOGS_${name} ${logs})
  set_property(GLOBAL PROPERTY GPU_PLUGIN_TARGETS_${name} ${arg_TARGETS})
  set_property(GLOBAL PROPERTY GPU_PLUGIN_FOLDER_${name} ${folder})
  message(STATUS "Plugin libhipsplat-${name}.so for ${targets}")
endfunction()
