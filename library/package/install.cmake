# The library where other programs find it: header, library, CMake package and pkg-config file. Relocatable, as the
# program is: these name each other's places from their own. Components: library, and
# development for what is compiled with it.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hipsplat)
install(TARGETS hipsplat_library EXPORT hipsplat LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  NAMELINK_COMPONENT development)
install(FILES ${CMAKE_SOURCE_DIR}/include/hipsplat.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT hipsplat NAMESPACE hipsplat:: FILE hipsplat-config.cmake DESTINATION ${package} COMPONENT development)

include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/hipsplat-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hipsplat-config-version.cmake DESTINATION ${package} COMPONENT development)

file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/hipsplat.pc.in ${CMAKE_CURRENT_BINARY_DIR}/hipsplat.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hipsplat.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
