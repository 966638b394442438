# The plugin for AMD: hipcc and rocPRIM, an explicit list of targets.
set(HIPSPLAT_HIP_TARGETS "" CACHE STRING
  "AMD architectures to compile for (gfx1030;gfx1100); native: those of this machine; empty: all that hipcc knows")
if(NOT HIPSPLAT_HIP)
  return()
endif()
include(amd_targets.cmake)
hipsplat_rocm_folders(rocm "")
find_program(HIPSPLAT_HIPCC hipcc HINTS ${rocm} PATH_SUFFIXES bin)
find_path(HIPSPLAT_ROCPRIM rocprim/rocprim.hpp HINTS ${rocm} PATH_SUFFIXES include)
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

# Its structures belong to one major version of the runtime: packages name the plugin by it.
find_file(HIPSPLAT_HIP_VERSION_HEADER hip/hip_version.h HINTS ${rocm} PATH_SUFFIXES include)
mark_as_advanced(HIPSPLAT_HIP_VERSION_HEADER)
if(HIPSPLAT_HIP_VERSION_HEADER)
  file(STRINGS ${HIPSPLAT_HIP_VERSION_HEADER} line REGEX "#define HIP_VERSION_MAJOR +[0-9]+")
  string(REGEX MATCH "[0-9]+" hip_major "${line}")
  set_property(GLOBAL PROPERTY GPU_PLUGIN_MAJOR_hip "${hip_major}")
endif()

set(targets ${HIPSPLAT_HIP_TARGETS})
if(targets STREQUAL "native")
  hipsplat_amd_targets_here(targets /sys/class/kfd/kfd/topology/nodes)
  if(NOT targets)
    message(WARNING "No AMD GPU is visible here: HIPSPLAT_HIP_TARGETS=native becomes all that hipcc knows")
  endif()
endif()
if("${targets}" MATCHES "generic")
  message(FATAL_ERROR "HIPSPLAT_HIP_TARGETS: rocPRIM does not work with generic targets; name architectures (gfx1100)")
endif()
if(NOT targets)
  hipsplat_amd_targets_known(targets COMPILE ${hipcc})
endif()
if(NOT targets)
  set(problem "'${HIPSPLAT_HIPCC}' and its rocPRIM compile for no architecture that hipsplat knows")
  if(HIPSPLAT_HIP STREQUAL "AUTO")
    message(WARNING "${problem}: no plugin for AMD GPUs is built")
    return()
  endif()
  message(FATAL_ERROR "${problem}")
endif()

hipsplat_code_object_flags(code_object COMPILE ${hipcc} TARGETS ${targets})
list(TRANSFORM targets PREPEND --offload-arch= OUTPUT_VARIABLE offload)
# Architectures for the linker, too, though it needs none: hipcc 5 asks this machine's GPU else, and where there is none
# the program that it asks prints a traceback of Python.
hipsplat_gpu_plugin(hip TARGETS ${targets}
  COMPILE ${hipcc} ${offload} ${code_object} -fPIC -fvisibility=hidden -Wall -Wextra -ffp-contract=off
    -fno-math-errno -munsafe-fp-atomics -Rpass-analysis=kernel-resource-usage
  LINK ${HIPSPLAT_HIPCC} ${offload} -shared)
