# viewer: everything that needs a display, OpenGL or Dear ImGui.
add_library(viewer STATIC
  desktop_portal.cpp
  draw/canvas.cpp
  draw/gl_objects.cpp
  draw/lines.cpp
  draw/splats_gl.cpp
  file_dialog.cpp
  gl_window.cpp
  input_translation.cpp
  panels/camera_panel.cpp
  panels/comparison.cpp
  panels/display_panel.cpp
  panels/export_dialog.cpp
  panels/histogram_panel.cpp
  panels/log_panel.cpp
  panels/menu_bar.cpp
  panels/photos_panel.cpp
  panels/picture_dialog.cpp
  panels/popups.cpp
  panels/scene_panel.cpp
  panels/status_bar.cpp
  panels/training_panel.cpp
  panels/training_run.cpp
  panels/training_settings.cpp
  panels/welcome.cpp
  panels/widgets.cpp
  theme.cpp
  viewport.cpp
  window.cpp
  window_input.cpp
  window_layout.cpp
  window_settings.cpp
  workspace.cpp
)
target_link_libraries(viewer PUBLIC viewer_core PRIVATE glad dep::glfw dep::dbus dep::imgui dep::json ${CMAKE_DL_LIBS})
hipsplat_embed_shaders(viewer fullscreen.vert lines.frag lines.vert picture.frag resolve.frag splats.frag splats.vert)
