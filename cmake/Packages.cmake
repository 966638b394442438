# `cpack` in the build folder, or its target `package`: Debian packages (hipsplat, and one for each GPU plugin that was
# built) and a relocatable archive with everything. The dependencies of a Debian package are those of the system that it
# is made on (dpkg-shlibdeps); the archive brings its libraries along. All times are SOURCE_DATE_EPOCH, else that of the
# last commit: the same sources give the same bytes.
# Whoever publishes packages sets a name and an address of their own, and HIPSPLAT_HOMEPAGE where there is one.
set(HIPSPLAT_MAINTAINER "hipsplat developers <developers@hipsplat.org>" CACHE STRING "Who answers for the packages")
mark_as_advanced(HIPSPLAT_MAINTAINER)
set(packages ${CMAKE_SOURCE_DIR}/cmake/packages)

set(CPACK_PACKAGE_NAME hipsplat)
set(CPACK_PACKAGE_VENDOR hipsplat)
set(CPACK_PACKAGE_CONTACT "${HIPSPLAT_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "train, view and convert 3D Gaussian splats")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PROJECT_CONFIG_FILE ${packages}/settings.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${packages}/stage.cmake)
set(CPACK_HIPSPLAT_SOURCE ${CMAKE_SOURCE_DIR})
set(CPACK_HIPSPLAT_TRIPLET ${CMAKE_LIBRARY_ARCHITECTURE})
set(CPACK_HIPSPLAT_RELEASE_DATE ${HIPSPLAT_RELEASE_DATE})
find_program(HIPSPLAT_DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(HIPSPLAT_DPKG_SHLIBDEPS)
set(CPACK_GENERATOR External)
if(HIPSPLAT_DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()

# The archive.
set(CPACK_EXTERNAL_ENABLE_STAGING ON)
set(CPACK_HIPSPLAT_ZSTD_LEVEL 19)
set(CPACK_EXTERNAL_PACKAGE_SCRIPT ${packages}/archive.cmake)

# Debian packages.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${HIPSPLAT_HOMEPAGE}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HIPSPLAT_PACKAGE_NAME hipsplat)
set(CPACK_DEBIAN_HIPSPLAT_PACKAGE_RECOMMENDS "colmap, ffmpeg, libgl1, libheif1")
set(CPACK_DEBIAN_HIPSPLAT_PACKAGE_SUGGESTS "hipsplat-hip, hipsplat-cuda")
set(CPACK_COMPONENT_HIPSPLAT_DESCRIPTION "hipsplat turns photos into 3D Gaussian splats. It trains from photos, a video,
or COLMAP and transforms.json folders, in a window or headless, shows splats
and converts between their formats, on the processor or with a plugin on a
GPU.")
# The library: what stage.cmake finds that it depends on; with SHLIBDEPS there would be scripts that call ldconfig.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libhipsplat${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/library/shlibs ${CMAKE_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS libheif1)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "hipsplat-hip, hipsplat-cuda")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/library/shlibs CONTENT "libhipsplat ${PROJECT_VERSION_MAJOR} libhipsplat${PROJECT_VERSION_MAJOR} (>= ${PROJECT_VERSION})\n")
set(CPACK_HIPSPLAT_SHLIBDEPS ${HIPSPLAT_DPKG_SHLIBDEPS})
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "This is the library that other programs use: it reads and writes splat files,
draws pictures of them, rasterises splats in arrays, and trains.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhipsplat-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libhipsplat${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "This is what programs are compiled with that use the library: the header in C,
CMake's package and pkg-config's file.")
foreach(plugin hip cuda)
  string(TOUPPER ${plugin} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME hipsplat-${plugin})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "hipsplat (= ${PROJECT_VERSION})")
endforeach()
# One plugin for each version of AMD's runtime: which of them is installed is the system's business, and none is needed.
set(CPACK_DEBIAN_HIP_PACKAGE_SHLIBDEPS OFF)
string(APPEND CPACK_DEBIAN_HIP_PACKAGE_DEPENDS ", libc6 (>= 2.35), libgcc-s1 (>= 3.0), libstdc++6 (>= 12)")
set(CPACK_DEBIAN_HIP_PACKAGE_RECOMMENDS "libamdhip64-7 | libamdhip64-6 | libamdhip64-5 | hip-runtime-amd")
set(CPACK_COMPONENT_HIP_DESCRIPTION "This is the plugin for AMD GPUs. With it hipsplat trains and draws 3D Gaussian
splats on them, through the HIP runtime of ROCm.")
set(CPACK_COMPONENT_CUDA_DESCRIPTION "This is the plugin for NVIDIA GPUs. With it hipsplat trains and draws 3D
Gaussian splats on them. It needs NVIDIA's driver and nothing else.")

set(CPACK_COMPONENTS_ALL hipsplat library development)
foreach(plugin hip cuda)
  if(TARGET hipsplat_${plugin} OR HIPSPLAT_MORE_PLUGINS MATCHES "libhipsplat-${plugin}[0-9]+\\.so")
    list(APPEND CPACK_COMPONENTS_ALL ${plugin})
  endif()
endforeach()
include(CPack)
