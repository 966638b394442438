# What `cmake --install` puts where. Relocatable: nothing remembers the prefix, the program finds its plugins and its demo
# from where it lies. Components: hipsplat (the program and all that belongs to it), library and development (for other
# programs: library/package/install.cmake), hip and cuda (a plugin each, where it was built).
include(GNUInstallDirs)
set(plugins_folder ${CMAKE_INSTALL_LIBDIR}/hipsplat)
set(packaging ${CMAKE_SOURCE_DIR}/packaging)

install(TARGETS hipsplat RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT hipsplat)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/assets/demo DESTINATION ${CMAKE_INSTALL_DATADIR}/hipsplat COMPONENT hipsplat)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT hipsplat)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT hipsplat)
if(HIPSPLAT_WINDOW AND HIPSPLAT_FONT_DIR)  # the font is in the program
  install(FILES ${packaging}/licences/Inter-OFL.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT hipsplat)
endif()
# Plugins are installed under the name of the runtime's major version that they were compiled for: libhipsplat-hip5.so.
# Those for other versions, built elsewhere from the same sources by the same compiler, come in by HIPSPLAT_MORE_PLUGINS.
set(HIPSPLAT_MORE_PLUGINS "" CACHE STRING "Plugins of other builds to install as well (/builds/libhipsplat-hip6.so;...)")
foreach(plugin hip cuda)
  if(TARGET hipsplat_${plugin})
    get_property(major GLOBAL PROPERTY GPU_PLUGIN_MAJOR_${plugin})
    install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/libhipsplat-${plugin}.so DESTINATION ${plugins_folder}
      RENAME libhipsplat-${plugin}${major}.so COMPONENT ${plugin})
  endif()
  set(more ${HIPSPLAT_MORE_PLUGINS})
  list(FILTER more INCLUDE REGEX "libhipsplat-${plugin}[0-9]+\\.so$")
  install(FILES ${more} DESTINATION ${plugins_folder} COMPONENT ${plugin})
endforeach()

# Completion and the manual page, printed by the program itself.
set(generated ${CMAKE_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${generated})
set(texts)
function(hipsplat_generated_text file)
  add_custom_command(OUTPUT ${generated}/${file}
    COMMAND hipsplat ${ARGN} > ${generated}/${file}.part
    COMMAND ${CMAKE_COMMAND} -E rename ${generated}/${file}.part ${generated}/${file}
    DEPENDS hipsplat COMMENT "${file}" VERBATIM)
  set(texts ${texts} ${generated}/${file} PARENT_SCOPE)
endfunction()
hipsplat_generated_text(hipsplat.bash --print-completion bash)
hipsplat_generated_text(_hipsplat --print-completion zsh)
hipsplat_generated_text(hipsplat.fish --print-completion fish)
hipsplat_generated_text(hipsplat.1 --print-manual ${HIPSPLAT_RELEASE_DATE})
add_custom_command(OUTPUT ${generated}/hipsplat.1.gz COMMAND gzip -9nkf ${generated}/hipsplat.1
  DEPENDS ${generated}/hipsplat.1 VERBATIM)
list(APPEND texts ${generated}/hipsplat.1.gz)
add_custom_target(hipsplat_texts ALL DEPENDS ${texts})
install(FILES ${generated}/hipsplat.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME hipsplat COMPONENT hipsplat)
install(FILES ${generated}/_hipsplat DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT hipsplat)
install(FILES ${generated}/hipsplat.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT hipsplat)
install(FILES ${generated}/hipsplat.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT hipsplat)

# The desktop: menu entry, icon, description, file types.
set(id org.hipsplat.hipsplat)
set(HIPSPLAT_HOMEPAGE "" CACHE STRING "Where the project is on the web: in the packages and the description (no line when empty)")
mark_as_advanced(HIPSPLAT_HOMEPAGE)
set(homepage_line)
if(HIPSPLAT_HOMEPAGE)
  set(homepage_line "\n  <url type=\"homepage\">${HIPSPLAT_HOMEPAGE}</url>")
endif()
configure_file(${packaging}/desktop/${id}.metainfo.xml.in ${generated}/${id}.metainfo.xml @ONLY)
install(FILES ${packaging}/desktop/${id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT hipsplat)
install(FILES ${generated}/${id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT hipsplat)
install(FILES ${packaging}/desktop/${id}.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
  RENAME ${id}.xml COMPONENT hipsplat)
install(FILES ${packaging}/desktop/hipsplat.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers
  COMPONENT hipsplat)
set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
install(FILES ${packaging}/desktop/icons/hipsplat.svg DESTINATION ${icons}/scalable/apps RENAME ${id}.svg COMPONENT hipsplat)
foreach(size 16 24 32 48 64 128 256 512)
  install(FILES ${packaging}/desktop/icons/hipsplat-${size}.png DESTINATION ${icons}/${size}x${size}/apps RENAME ${id}.png
    COMPONENT hipsplat)
endforeach()
