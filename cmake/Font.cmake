# The window's fonts, made small by fontTools and compiled into the program, so that the window looks the same everywhere:
# Inter in two weights (package fonts-inter), and of Material Design Icons those that viewer/widgets/icons.h lists. The
# icons and fontTools come from PyPI, in the environment of glad. -DHIPSPLAT_FONT_DIR=<folder> names a folder with Inter-Regular.otf and
# Inter-SemiBold.otf; OFF: no Inter, the window takes a font of the machine that it runs on.
set(HIPSPLAT_FONT_PACKAGES fonttools==4.55.8 fonticon-materialdesignicons7==7.2.96)
find_path(HIPSPLAT_FONT_DIR Inter-SemiBold.otf PATHS /usr/share/fonts /usr/local/share/fonts
          PATH_SUFFIXES opentype/inter inter rsms-inter-fonts NO_DEFAULT_PATH)
if(HIPSPLAT_FONT_DIR STREQUAL "HIPSPLAT_FONT_DIR-NOTFOUND")
  list(APPEND HIPSPLAT_MISSING_PACKAGES fonts-inter)
endif()

# hipsplat_embed_fonts(<target> <folder of a Python environment>): viewer/widgets/shipped_fonts.h and icons.h of the target.
function(hipsplat_embed_fonts target venv)
  string(SHA256 stamp "${HIPSPLAT_FONT_PACKAGES}")
  if(NOT EXISTS ${venv}/${stamp})
    message(STATUS "Fetching the window's icons, and what cuts out fonts (${HIPSPLAT_FONT_PACKAGES})")
    hipsplat_python_step("the font of its icons" "installing it" ${venv}/bin/python -m pip install --quiet
                         --disable-pip-version-check ${HIPSPLAT_FONT_PACKAGES})
    file(TOUCH ${venv}/${stamp})
  endif()
  set(fonts)
  if(HIPSPLAT_FONT_DIR)
    set(fonts ${HIPSPLAT_FONT_DIR}/Inter-Regular.otf ${HIPSPLAT_FONT_DIR}/Inter-SemiBold.otf)
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/shipped_fonts.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/embed_fonts.py)
  set(icons ${CMAKE_SOURCE_DIR}/viewer/widgets/icons.h)
  add_custom_command(OUTPUT ${source} COMMAND ${venv}/bin/python -B ${script} ${source} ${icons} ${fonts}
                     DEPENDS ${script} ${icons} ${fonts} COMMENT "Embedding the window's fonts" VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
