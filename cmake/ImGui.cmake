# Dear ImGui (docking branch) with its GLFW and OpenGL backends, ImPlot and ImGuizmo, compiled from source: Debian's package
# is years behind. The sources are those in PyPI's source package of imgui-bundle, of which nothing else is kept. They are
# fetched once per source folder, into build-imgui-<version>; -DHIPSPLAT_IMGUI_DIR=<folder> names one that is there already,
# with imgui/ (docking branch, 1.92 or newer), implot/ and imguizmo/ in it.
set(HIPSPLAT_IMGUI_VERSION 1.93.0)
set(HIPSPLAT_IMGUI_SHA256 10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf)
set(HIPSPLAT_IMGUI_URL https://files.pythonhosted.org/packages/64/78/b5e7bf047f6202711d2bd9f9ffde31c28ca47a6c1cb0d9a744763ac6e749/imgui_bundle-${HIPSPLAT_IMGUI_VERSION}.tar.gz)
set(HIPSPLAT_IMGUI_DIR "" CACHE PATH "Folder with the sources of Dear ImGui (imgui/), ImPlot (implot/) and ImGuizmo (imguizmo/); empty: fetched from PyPI")

# Fetches and unpacks into `folder`, which appears when it is complete.
function(hipsplat_fetch_imgui folder)
  set(work ${CMAKE_BINARY_DIR}/imgui-bundle)
  set(archive ${work}/imgui_bundle.tar.gz)
  message(STATUS "Fetching Dear ImGui, ImPlot and ImGuizmo (imgui-bundle ${HIPSPLAT_IMGUI_VERSION}, 54 MB)")
  foreach(attempt RANGE 1 3)
    file(DOWNLOAD ${HIPSPLAT_IMGUI_URL} ${archive} STATUS status TIMEOUT 600)
    set(said ${status})
    list(GET status 0 code)
    if(code EQUAL 0)
      break()
    endif()
  endforeach()
  if(code EQUAL 0)
    file(SHA256 ${archive} hash)
    if(NOT hash STREQUAL HIPSPLAT_IMGUI_SHA256)
      set(code 1)
      set(said "its SHA-256 is ${hash}, not ${HIPSPLAT_IMGUI_SHA256}")
    endif()
  endif()
  if(NOT code EQUAL 0)
    file(REMOVE_RECURSE ${work})
    message(FATAL_ERROR "hipsplat's window needs Dear ImGui, ImPlot and ImGuizmo, and fetching them failed: ${said}\n"
                        "They come from ${HIPSPLAT_IMGUI_URL} (once per source folder). Without a network: unpack that file "
                        "elsewhere, put its external/imgui/imgui, external/implot/implot and external/ImGuizmo/ImGuizmo/src "
                        "side by side as imgui, implot and imguizmo and name their folder by -DHIPSPLAT_IMGUI_DIR=... "
                        "To build without the window, for headless work: -DHIPSPLAT_WINDOW=OFF")
  endif()
  set(external imgui_bundle-${HIPSPLAT_IMGUI_VERSION}/external)
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${work}
       PATTERNS ${external}/imgui/imgui/im* ${external}/imgui/imgui/LICENSE.txt ${external}/imgui/imgui/misc/cpp
                ${external}/imgui/imgui/backends/imgui_impl_glfw* ${external}/imgui/imgui/backends/imgui_impl_opengl3*
                ${external}/implot/implot/im* ${external}/implot/implot/LICENSE
                ${external}/ImGuizmo/ImGuizmo/src/ImGuizmo.* ${external}/ImGuizmo/ImGuizmo/LICENSE)
  file(MAKE_DIRECTORY ${work}/sources)
  file(RENAME ${work}/${external}/imgui/imgui ${work}/sources/imgui)
  file(RENAME ${work}/${external}/implot/implot ${work}/sources/implot)
  file(RENAME ${work}/${external}/ImGuizmo/ImGuizmo/src ${work}/sources/imguizmo)
  file(RENAME ${work}/${external}/ImGuizmo/ImGuizmo/LICENSE ${work}/sources/imguizmo/LICENSE)
  file(REMOVE_RECURSE ${folder})
  file(RENAME ${work}/sources ${folder} RESULT moved)
  if(moved)  # a source folder that cannot be written
    message(FATAL_ERROR "Dear ImGui's sources could not be moved to '${folder}': ${moved}")
  endif()
  file(REMOVE_RECURSE ${work})
endfunction()

set(imgui_dir ${HIPSPLAT_IMGUI_DIR})
if(NOT imgui_dir)
  set(imgui_dir ${CMAKE_SOURCE_DIR}/build-imgui-${HIPSPLAT_IMGUI_VERSION})
  if(NOT EXISTS ${imgui_dir}/imgui/imgui.h OR NOT EXISTS ${imgui_dir}/imguizmo/ImGuizmo.h)
    hipsplat_fetch_imgui(${imgui_dir})
  endif()
endif()
foreach(file imgui/imgui.h imgui/backends/imgui_impl_glfw.h imgui/misc/cpp/imgui_stdlib.h implot/implot.h imguizmo/ImGuizmo.h)
  if(NOT EXISTS ${imgui_dir}/${file})
    message(FATAL_ERROR "'${imgui_dir}' (HIPSPLAT_IMGUI_DIR) lacks ${file}: it must hold the sources of Dear ImGui's docking "
                        "branch as imgui/, those of ImPlot as implot/ and those of ImGuizmo as imguizmo/")
  endif()
endforeach()
file(STRINGS ${imgui_dir}/imgui/imgui.h imgui_has_docking REGEX "define IMGUI_HAS_DOCK")
if(NOT imgui_has_docking)
  message(FATAL_ERROR "The Dear ImGui in '${imgui_dir}' (HIPSPLAT_IMGUI_DIR) is not of the docking branch")
endif()

file(GLOB imgui_sources ${imgui_dir}/imgui/imgui*.cpp ${imgui_dir}/implot/implot.cpp ${imgui_dir}/implot/implot_items.cpp
     ${imgui_dir}/imguizmo/ImGuizmo.cpp)
add_library(imgui STATIC ${imgui_sources} ${imgui_dir}/imgui/misc/cpp/imgui_stdlib.cpp
                         ${imgui_dir}/imgui/backends/imgui_impl_glfw.cpp ${imgui_dir}/imgui/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${imgui_dir} ${imgui_dir}/imgui)
target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_OBSOLETE_FUNCTIONS
                           PRIVATE "IMPLOT_CUSTOM_NUMERIC_TYPES=(float)(double)")
target_compile_options(imgui PRIVATE -w)
target_link_libraries(imgui PRIVATE dep::glfw ${CMAKE_DL_LIBS})
add_library(dep::imgui ALIAS imgui)
