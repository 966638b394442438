# Compiles one source with hipcc and keeps what the compiler says of the kernels' resources in LOG (CMake's HIP language
# does not find Debian's multi-arch layout). Run with -DHIPCC -DSOURCE -DOBJECT -DLOG -DDEPENDENCIES -DFLAGS ("|" between).
cmake_minimum_required(VERSION 3.22)
string(REPLACE "|" ";" flags "${FLAGS}")
execute_process(
  COMMAND ${HIPCC} -x hip ${flags} -MD -MF ${DEPENDENCIES} -MT ${OBJECT} -c ${SOURCE} -o ${OBJECT}
  ERROR_VARIABLE said RESULT_VARIABLE result)
file(WRITE ${LOG} "${said}")
if(result)
  message(FATAL_ERROR "hipcc could not compile ${SOURCE}:\n${said}")
endif()
