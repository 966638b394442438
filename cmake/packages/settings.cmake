# Read by cpack before each generator (cmake/Packages.cmake).
if(NOT "$ENV{SOURCE_DATE_EPOCH}")
  execute_process(COMMAND git -C ${CPACK_HIPSPLAT_SOURCE} log -1 --format=%ct OUTPUT_VARIABLE seconds
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT seconds)  # no checkout
    execute_process(COMMAND date -u -d ${CPACK_HIPSPLAT_RELEASE_DATE} +%s OUTPUT_VARIABLE seconds
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${seconds})
endif()
if(CPACK_GENERATOR STREQUAL "External")  # all parts in one archive that opens as one folder
  set(CPACK_MONOLITHIC_INSTALL ON)
  set(CPACK_PACKAGING_INSTALL_PREFIX "/")
endif()
