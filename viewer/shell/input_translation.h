// GLFW's events as the plain values of viewer/camera/input.h, and the window's own shortcuts.
#pragma once

#include <optional>
#include <string>

#include "viewer/camera/input.h"

namespace viewer {

Modifiers modifiers_of(int glfw_modifiers);
std::optional<MouseButton> button_of(int glfw_button);
// W A S D Q E by their place on the keyboard; other letters by the user's layout.
std::optional<Key> key_of(int glfw_key, int scancode);
// The letter of the key in the user's layout, upper case; 0: not a letter.
char letter_of(int glfw_key, int scancode);
// As actions name their keys: "Ctrl+Shift+O", "F2", "Space"; empty: no action has such a key.
std::string keys_of(int glfw_key, int scancode, const Modifiers& modifiers);

}  // namespace viewer
