# The plugin for AMD: hipcc and rocPRIM, an explicit list of targets.
set(HIPSPLAT_HIP_TARGETS "" CACHE STRING "AMD architectures to compile for; empty: all that hipcc knows of the usual ones")
set(usual_targets gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1200 gfx1201)
if(NOT HIPSPLAT_HIP)
  return()
endif()
find_program(HIPSPLAT_HIPCC hipcc HINTS $ENV{ROCM_PATH}/bin /opt/rocm/bin)
find_path(HIPSPLAT_ROCPRIM rocprim/rocprim.hpp HINTS $ENV{ROCM_PATH}/include /opt/rocm/include)
mark_as_advanced(HIPSPLAT_HIPCC HIPSPLAT_ROCPRIM)
if(NOT HIPSPLAT_HIPCC OR NOT HIPSPLAT_ROCPRIM)
  if(HIPSPLAT_HIP STREQUAL "AUTO")
    return()
  endif()
  message(FATAL_ERROR "HIPSPLAT_HIP needs hipcc and rocPRIM. On Debian or Ubuntu:\n"
                      "  sudo apt install hipcc librocprim-dev libamdhip64-dev")
endif()

set(hipcc ${HIPSPLAT_HIPCC} -x hip)
if(NOT HIPSPLAT_ROCPRIM STREQUAL "/usr/include")
  list(APPEND hipcc -I${HIPSPLAT_ROCPRIM})
endif()

# Compiling an empty kernel tells whether hipcc and its device library know a target; asked once.
if(NOT HIPSPLAT_HIPCC_KNOWS)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/probe.hip)
  file(WRITE ${probe} "#include <hip/hip_runtime.h>\n__global__ void nothing() {}\n")
  set(known)
  foreach(target IN LISTS usual_targets)
    execute_process(COMMAND ${hipcc} --cuda-device-only --offload-arch=${target} -c ${probe} -o ${probe}.o
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      list(APPEND known ${target})
    endif()
  endforeach()
  if(NOT known)
    if(HIPSPLAT_HIP STREQUAL "AUTO")
      message(WARNING "'${HIPSPLAT_HIPCC}' compiles for none of ${usual_targets}: no plugin for AMD GPUs is built")
      return()
    endif()
    message(FATAL_ERROR "'${HIPSPLAT_HIPCC}' compiles for none of ${usual_targets}")
  endif()
  set(HIPSPLAT_HIPCC_KNOWS ${known} CACHE INTERNAL "Targets that hipcc knows")
endif()

set(targets ${HIPSPLAT_HIP_TARGETS})
if(NOT targets)
  set(targets ${HIPSPLAT_HIPCC_KNOWS})
endif()
list(TRANSFORM targets PREPEND --offload-arch= OUTPUT_VARIABLE offload)
hipsplat_gpu_plugin(hip TARGETS ${targets}
  COMPILE ${hipcc} ${offload} -fPIC -Wall -Wextra -ffp-contract=off -fno-math-errno -munsafe-fp-atomics
    -Rpass-analysis=kernel-resource-usage
  LINK ${HIPSPLAT_HIPCC} -shared)
