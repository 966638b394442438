# Compiles one source with hipcc or nvcc and keeps what the compiler says of the kernels' resources in LOG (CMake's HIP
# language does not find Debian's multi-arch layout). Run with -DCOMMAND (compiler and flags, "|" between) -DSOURCE
# -DOBJECT -DLOG -DDEPENDENCIES.
cmake_minimum_required(VERSION 3.22)
string(REPLACE "|" ";" command "${COMMAND}")
execute_process(
  COMMAND ${command} -MD -MF ${DEPENDENCIES} -MT ${OBJECT} -c ${SOURCE} -o ${OBJECT}
  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
file(WRITE ${LOG} "${said}")
if(result)
  list(GET command 0 compiler)
  message(FATAL_ERROR "${compiler} could not compile ${SOURCE}:\n${said}")
endif()
