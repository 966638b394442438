# Compiles one kernel file for arm64, with the flags of its own build: no machine here runs it.
# -DCXX (a cross compiler), -DSOURCE, -DROOT (of the repository), -DHIGHWAY (folder with hwy/), -DFLAGS, -DWORK.
cmake_minimum_required(VERSION 3.22)
file(MAKE_DIRECTORY ${WORK}/include)
file(CREATE_LINK ${HIGHWAY}/hwy ${WORK}/include/hwy SYMBOLIC)  # nothing else of this machine's headers
get_filename_component(name ${SOURCE} NAME_WE)
execute_process(
  COMMAND ${CXX} -std=c++20 -O1 -Wall -Wextra -Werror -fno-exceptions -fno-rtti ${FLAGS} -DSPLAT_SIMD_LEVEL=neon
    -DHWY_COMPILE_ONLY_STATIC -I${ROOT} -isystem ${WORK}/include -c ${SOURCE} -o ${WORK}/${name}.o
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${SOURCE} does not compile for arm64")
endif()
