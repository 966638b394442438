# Tests that open a window, each on a display of its own (tests/support/virtual_display.h).
set(support ${CMAKE_SOURCE_DIR}/tests/support)
hipsplat_test(test_gl_splats SOURCES gl_splats_test.cpp ${support}/synthetic_scene.cpp ${support}/virtual_display.cpp
  LIBRARIES viewer glad)
add_executable(gl_benchmark EXCLUDE_FROM_ALL gl_benchmark.cpp)
target_link_libraries(gl_benchmark PRIVATE hipsplat_settings viewer glad)
