# What the window is made of: GLFW, Dear ImGui (ImGui.cmake), GIO for the desktop's file dialogs over D-Bus, and the
# OpenGL loader that glad generates at configure time inside the build folder, and a font (Font.cmake). Without
# HIPSPLAT_WINDOW none of it is needed.
set(HIPSPLAT_GLAD_VERSION 2.0.8)

hipsplat_find_library(dep::glfw GLFW/glfw3.h glfw libglfw3-dev)
hipsplat_find_library(dep::fontconfig fontconfig/fontconfig.h fontconfig libfontconfig-dev)
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(HIPSPLAT_GIO QUIET IMPORTED_TARGET GLOBAL gio-2.0)
endif()
if(HIPSPLAT_GIO_FOUND)
  add_library(dep::gio ALIAS PkgConfig::HIPSPLAT_GIO)
else()
  list(APPEND HIPSPLAT_MISSING_PACKAGES libglib2.0-dev)
endif()
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  list(APPEND HIPSPLAT_MISSING_PACKAGES python3-venv)
endif()
include(Font)
if(HIPSPLAT_MISSING_PACKAGES)
  list(REMOVE_DUPLICATES HIPSPLAT_MISSING_PACKAGES)
  string(JOIN " " packages ${HIPSPLAT_MISSING_PACKAGES})
  message(FATAL_ERROR "hipsplat's window needs packages that are not installed. On Debian or Ubuntu:\n"
                      "  sudo apt install ${packages}\n"
                      "(./quickstart and ./check install them by themselves.) "
                      "To build without the window, for headless work: -DHIPSPLAT_WINDOW=OFF")
endif()
# hipsplat_python_step(<tool> <what> COMMAND...): runs it; a failure ends the configuration with what it said.
function(hipsplat_python_step tool what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "hipsplat's window needs ${tool}, and ${what} failed:\n${said}\n"
                        "It comes from PyPI (needs python3-venv and a network, once per build folder). "
                        "To build without the window, for headless work: -DHIPSPLAT_WINDOW=OFF")
  endif()
endfunction()

set(glad_folder ${CMAKE_BINARY_DIR}/glad)
set(glad_stamp ${glad_folder}/generated-${HIPSPLAT_GLAD_VERSION})
set(HIPSPLAT_VENV ${CMAKE_BINARY_DIR}/glad-venv)
if(NOT EXISTS ${glad_stamp})
  message(STATUS "Generating the OpenGL loader with glad ${HIPSPLAT_GLAD_VERSION}")
  set(glad "glad ${HIPSPLAT_GLAD_VERSION}")
  hipsplat_python_step(${glad} "making a Python environment" ${Python3_EXECUTABLE} -m venv ${HIPSPLAT_VENV})
  hipsplat_python_step(${glad} "installing it" ${HIPSPLAT_VENV}/bin/python -m pip install --quiet
                       --disable-pip-version-check glad2==${HIPSPLAT_GLAD_VERSION})
  hipsplat_python_step(${glad} "running it" ${HIPSPLAT_VENV}/bin/python -m glad --reproducible --quiet
                       --api gl:core=3.3 --extensions GL_KHR_debug --out-path ${glad_folder} c)
  file(TOUCH ${glad_stamp})
endif()
include(ImGui)
enable_language(C)
add_library(glad STATIC ${glad_folder}/src/gl.c)
target_include_directories(glad SYSTEM PUBLIC ${glad_folder}/include)
