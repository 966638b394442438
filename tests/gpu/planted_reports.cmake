# A made-up report of 20 kernels in the words of COMPILER, one of them with EXCESS of something, given to
# check_resources.cmake.
cmake_minimum_required(VERSION 3.22)
set(registers 64)
set(scratch 0)
set(lds 6160)
if(EXCESS STREQUAL "registers")
  set(registers 65)
elseif(EXCESS STREQUAL "scratch")
  set(scratch 16)
elseif(EXCESS STREQUAL "lds")
  set(lds 12292)
endif()
set(name _ZN5splat3gpu12_GLOBAL__N_120blend_forward_kernelILi32EE)
set(report "")
foreach(i RANGE 1 20)
  if(COMPILER STREQUAL "hipcc")
    string(APPEND report
      "a.hip:1:1: remark: Function Name: ${name} [-Rpass]\n"
      "a.hip:1:1: remark:     VGPRs: ${registers} [-Rpass]\n"
      "a.hip:1:1: remark:     ScratchSize [bytes/lane]: ${scratch} [-Rpass]\n"
      "a.hip:1:1: remark:     LDS Size [bytes/block]: ${lds} [-Rpass]\n")
  else()
    string(APPEND report
      "ptxas info    : Compiling entry function '${name}' for 'sm_90'\n"
      "    0 bytes stack frame, ${scratch} bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used ${registers} registers, used 1 barriers, ${lds} bytes smem\n")
  endif()
endforeach()
set(LOGS ${FOLDER}/planted_${COMPILER}_${EXCESS}.log)
file(WRITE ${LOGS} "${report}")
include(${CMAKE_CURRENT_LIST_DIR}/check_resources.cmake)
