# Tests that open a window, each on a display of its own (tests/support/virtual_display.h).
set(support ${CMAKE_SOURCE_DIR}/tests/support)
hipsplat_test(test_gl_splats SOURCES gl_splats_test.cpp gl_viewport_test.cpp ${support}/synthetic_scene.cpp ${support}/virtual_display.cpp
  LIBRARIES viewer glad)
hipsplat_test(test_gl_leaks SOURCES gl_leaks_test.cpp ${support}/virtual_display.cpp LIBRARIES viewer glad)
hipsplat_test(test_gl_window SOURCES gl_window_test.cpp window_run.cpp ${support}/virtual_display.cpp LIBRARIES io splat)
hipsplat_test(test_gl_scene SOURCES gl_scene_test.cpp window_run.cpp fake_portal.cpp ${support}/virtual_display.cpp
  LIBRARIES io splat dep::dbus dep::json)
hipsplat_test(test_desktop_portal SOURCES desktop_portal_test.cpp fake_portal.cpp LIBRARIES viewer dep::dbus)
hipsplat_test(test_frame_times SOURCES frame_times_test.cpp window_run.cpp ${support}/virtual_display.cpp
  LIBRARIES io splat)

# Not a test: figures (docs/benchmarks.md).
add_executable(gl_benchmark EXCLUDE_FROM_ALL gl_benchmark.cpp ${support}/virtual_display.cpp)
target_link_libraries(gl_benchmark PRIVATE hipsplat_settings viewer glad io dep::gtest)

foreach(driver test_gl_window test_gl_scene test_frame_times gl_benchmark)
  target_compile_definitions(${driver} PRIVATE HIPSPLAT_PROGRAM="$<TARGET_FILE:hipsplat>")
  add_dependencies(${driver} hipsplat)
endforeach()
