# A plugin shows one symbol. Run with -DNM -DPLUGIN.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${NM} -D --defined-only ${PLUGIN} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${symbols}" symbols)
if(NOT symbols MATCHES "^[0-9a-f]+ T hipsplat_gpu_plugin$")
  message(FATAL_ERROR "${PLUGIN} shows more than its entry point:\n${symbols}")
endif()
