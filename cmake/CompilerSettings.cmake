# One INTERFACE target, `hipsplat_settings`, that every target of ours links: include root, warnings, numerics.
find_package(Threads REQUIRED)
add_library(hipsplat_settings INTERFACE)
target_include_directories(hipsplat_settings INTERFACE ${CMAKE_SOURCE_DIR})
target_link_libraries(hipsplat_settings INTERFACE Threads::Threads)
target_compile_options(hipsplat_settings INTERFACE -Wall -Wextra -fno-math-errno -ffp-contract=off
  "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")  # __FILE__ from the root on: the same program out of every folder
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(hipsplat_settings INTERFACE -Wno-restrict)  # false alarms on std::string (GCC bug 105651)
endif()
if(HIPSPLAT_WERROR)
  target_compile_options(hipsplat_settings INTERFACE -Werror)
endif()
if(HIPSPLAT_SANITIZE STREQUAL "thread")
  target_compile_options(hipsplat_settings INTERFACE -fsanitize=thread -fno-omit-frame-pointer -g1)
  target_link_options(hipsplat_settings INTERFACE -fsanitize=thread)
elseif(HIPSPLAT_SANITIZE)
  target_compile_options(hipsplat_settings INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
    -fPIC)  # the tests' plugins are linked from the same objects
  target_link_options(hipsplat_settings INTERFACE -fsanitize=address,undefined)
endif()
if(HIPSPLAT_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HIPSPLAT_FUZZ needs clang: add -DCMAKE_CXX_COMPILER=clang++")
  endif()
  target_compile_options(hipsplat_settings INTERFACE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -g)
  target_link_options(hipsplat_settings INTERFACE -fsanitize=address,undefined)
endif()
