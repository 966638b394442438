# AMD's architectures: those there are, those of this machine, and those that a compiler can make the plugin for. Where
# ROCm is.

# All that hipsplat's kernels are written for (waves of 32 and 64), most usual first. Generic ones (gfx11-generic) are
# left out: rocPRIM chooses its block sizes by the device's name on the host and by the target's name in the kernel, and
# these would differ.
set(HIPSPLAT_AMD_ARCHITECTURES
  gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152
  gfx1153 gfx1200 gfx1201 gfx906 gfx908 gfx90a gfx942 gfx950 gfx900 gfx902 gfx90c gfx1010 gfx1011 gfx1012 gfx1013)

# hipsplat_amd_targets_here(<result> <folder>): of the GPUs that the kernel driver lists in <folder>, which is
# /sys/class/kfd/kfd/topology/nodes on a real machine. gfx_target_version 90010 is gfx90a: two digits each, the last two
# numbers in hexadecimal.
function(hipsplat_amd_targets_here result folder)
  file(GLOB nodes ${folder}/*/properties)
  set(targets)
  foreach(node IN LISTS nodes)
    file(STRINGS ${node} line REGEX "^gfx_target_version ")
    if(NOT line MATCHES "gfx_target_version ([1-9][0-9]*)")
      continue()  # 0: a processor
    endif()
    set(version ${CMAKE_MATCH_1})
    math(EXPR major "${version} / 10000")
    set(name gfx${major})
    foreach(divisor 100 1)
      math(EXPR part "${version} / ${divisor} % 100" OUTPUT_FORMAT HEXADECIMAL)
      string(SUBSTRING ${part} 2 -1 part)
      string(APPEND name ${part})
    endforeach()
    list(APPEND targets ${name})
  endforeach()
  list(REMOVE_DUPLICATES targets)
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# hipsplat_rocm_folders(<result> <root>): where ROCm may be, by the list of rocm_places.h; <root> is empty on a real
# machine. As runtime_folders() of plugin_files.h expands it.
function(hipsplat_rocm_folders result root)
  file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rocm_places.h lines REGEX "^ +\"")
  set(folders)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^ +\"(.*)\",$" "\\1" place "${line}")
    if(place MATCHES "^\\$([A-Z_]+)(.*)$")
      if("$ENV{${CMAKE_MATCH_1}}" STREQUAL "")
        continue()
      endif()
      set(place "$ENV{${CMAKE_MATCH_1}}${CMAKE_MATCH_2}")
    else()
      set(place "${root}${place}")
    endif()
    set(found "${place}")
    if(place MATCHES "[*]")
      file(GLOB found ${place})
      list(SORT found COMPARE NATURAL ORDER DESCENDING)
    endif()
    list(APPEND folders ${found})
  endforeach()
  set(${result} ${folders} PARENT_SCOPE)
endfunction()

# hipsplat_probe(<result> <targets> COMPILE <compiler and flags> SOURCE <file>): which targets the file compiles for.
# As many at once as there are processors: commands of one execute_process() run side by side.
function(hipsplat_probe result targets)
  cmake_parse_arguments(arg "" "SOURCE" "COMPILE" ${ARGN})
  cmake_host_system_information(RESULT at_once QUERY NUMBER_OF_LOGICAL_CORES)
  set(known)
  while(targets)
    list(SUBLIST targets 0 ${at_once} group)
    list(REMOVE_ITEM targets ${group})
    set(commands)
    foreach(target IN LISTS group)
      list(APPEND commands COMMAND ${arg_COMPILE} --cuda-device-only --offload-arch=${target} -c ${arg_SOURCE}
        -o ${CMAKE_CURRENT_BINARY_DIR}/probe_${target}.o)
    endforeach()
    execute_process(${commands} RESULTS_VARIABLE codes OUTPUT_QUIET ERROR_QUIET)
    foreach(target code IN ZIP_LISTS group codes)
      if(code EQUAL 0)
        list(APPEND known ${target})
      endif()
    endforeach()
  endwhile()
  set(${result} ${known} PARENT_SCOPE)
endfunction()

# hipsplat_amd_targets_known(<result> COMPILE <compiler and flags>): what the compiler and its rocPRIM make code for. An
# empty kernel shows in a second that the compiler has a device library; only the sort shows whether rocPRIM knows the
# target too (hipcc 5.7 compiles the one for gfx1103, and not the other). Asked once for each compiler and sort.
function(hipsplat_amd_targets_known result)
  cmake_parse_arguments(arg "" "" "COMPILE" ${ARGN})
  set(sort ${CMAKE_SOURCE_DIR}/splat/core/gpu_sort.hip)
  list(GET arg_COMPILE 0 compiler)
  execute_process(COMMAND ${compiler} --version OUTPUT_VARIABLE version ERROR_QUIET)
  file(SHA256 ${sort} question)
  string(SHA256 question "${arg_COMPILE} ${version} ${question} ${HIPSPLAT_AMD_ARCHITECTURES}")
  if(NOT HIPSPLAT_HIPCC_QUESTION STREQUAL question)
    set(empty ${CMAKE_CURRENT_BINARY_DIR}/probe.hip)
    file(WRITE ${empty} "#include <hip/hip_runtime.h>\n__global__ void nothing() {}\n")
    message(STATUS "Asking ${compiler} which AMD architectures it compiles for")
    hipsplat_probe(targets "${HIPSPLAT_AMD_ARCHITECTURES}" COMPILE ${arg_COMPILE} SOURCE ${empty})
    hipsplat_probe(targets "${targets}" COMPILE ${arg_COMPILE} -std=c++20 -O3 -I${CMAKE_SOURCE_DIR} SOURCE ${sort})
    set(HIPSPLAT_HIPCC_KNOWS ${targets} CACHE INTERNAL "AMD architectures that hipcc compiles the plugin for")
    set(HIPSPLAT_HIPCC_QUESTION ${question} CACHE INTERNAL "What HIPSPLAT_HIPCC_KNOWS answers")
  endif()
  set(${result} ${HIPSPLAT_HIPCC_KNOWS} PARENT_SCOPE)
endfunction()

# hipsplat_code_object_flags(<result> COMPILE <compiler and flags> TARGETS <targets>): newer compilers write code objects
# of version 6, which runtimes before ROCm 6.3 refuse. Version 5 is requested where the compiler offers it, and nothing
# where it writes an older one by itself.
function(hipsplat_code_object_flags result)
  cmake_parse_arguments(arg "" "" "COMPILE;TARGETS" ${ARGN})
  set(${result} "" PARENT_SCOPE)
  list(GET arg_TARGETS 0 target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/probe_version.hip)
  set(object ${source}.o)
  file(WRITE ${source} "#include <hip/hip_runtime.h>\n__global__ void nothing() {}\n")
  foreach(flags "" "-mcode-object-version=5")
    file(REMOVE ${object})
    execute_process(COMMAND ${arg_COMPILE} --cuda-device-only --no-gpu-bundle-output --offload-arch=${target} ${flags}
      -c ${source} -o ${object} RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
    if(code)
      return()
    endif()
    file(READ ${object} elf_version OFFSET 8 LIMIT 1 HEX)  # EI_ABIVERSION: 02 is version 4, 03 version 5, 04 version 6
    if(elf_version STREQUAL "03" AND flags)
      set(${result} ${flags} PARENT_SCOPE)
    endif()
    if(elf_version MATCHES "^0[123]$")
      return()
    endif()
  endforeach()
endfunction()
