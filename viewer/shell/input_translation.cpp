#include "viewer/shell/input_translation.h"

#include <GLFW/glfw3.h>

#include <cctype>
#include <utility>

namespace viewer {

Modifiers modifiers_of(int glfw_modifiers) {
  return {(glfw_modifiers & GLFW_MOD_SHIFT) != 0, (glfw_modifiers & GLFW_MOD_CONTROL) != 0,
          (glfw_modifiers & GLFW_MOD_ALT) != 0};
}

std::optional<MouseButton> button_of(int glfw_button) {
  switch (glfw_button) {
    case GLFW_MOUSE_BUTTON_LEFT:
      return MouseButton::kLeft;
    case GLFW_MOUSE_BUTTON_MIDDLE:
      return MouseButton::kMiddle;
    case GLFW_MOUSE_BUTTON_RIGHT:
      return MouseButton::kRight;
    default:
      return std::nullopt;
  }
}

char letter_of(int glfw_key, int scancode) {
  const char* name = glfwGetKeyName(glfw_key, scancode);
  if (!name || name[0] == 0 || name[1] != 0) return 0;
  return std::isalpha(static_cast<unsigned char>(name[0])) ? char(std::toupper(name[0])) : char(0);
}

std::string keys_of(int glfw_key, int scancode, const Modifiers& modifiers) {
  constexpr std::pair<int, const char*> kNames[] = {
      {GLFW_KEY_COMMA, ","},       {GLFW_KEY_SPACE, "Space"},    {GLFW_KEY_TAB, "Tab"},
      {GLFW_KEY_HOME, "Home"},     {GLFW_KEY_DELETE, "Delete"},  {GLFW_KEY_BACKSPACE, "Backspace"},
      {GLFW_KEY_ENTER, "Enter"},   {GLFW_KEY_KP_ENTER, "Enter"}, {GLFW_KEY_ESCAPE, "Escape"},
      {GLFW_KEY_EQUAL, "+"},       {GLFW_KEY_KP_ADD, "+"},       {GLFW_KEY_MINUS, "-"},
      {GLFW_KEY_KP_SUBTRACT, "-"}, {GLFW_KEY_LEFT_BRACKET, "["}, {GLFW_KEY_RIGHT_BRACKET, "]"},
  };
  std::string key;
  if (const char letter = letter_of(glfw_key, scancode)) key = letter;
  if (glfw_key >= GLFW_KEY_F1 && glfw_key <= GLFW_KEY_F12) key = "F" + std::to_string(glfw_key - GLFW_KEY_F1 + 1);
  for (const auto& [code, name] : kNames)
    if (key.empty() && code == glfw_key) key = name;
  if (key.empty()) return key;
  return std::string(modifiers.control ? "Ctrl+" : "") + (modifiers.shift ? "Shift+" : "") +
         (modifiers.alt ? "Alt+" : "") + key;
}

namespace {

struct KeyPair {
  int glfw;
  Key key;
};

constexpr KeyPair kPlaces[] = {{GLFW_KEY_W, Key::kForward},
                               {GLFW_KEY_S, Key::kBack},
                               {GLFW_KEY_A, Key::kLeft},
                               {GLFW_KEY_D, Key::kRight},
                               {GLFW_KEY_Q, Key::kDown},
                               {GLFW_KEY_E, Key::kUp},
                               {GLFW_KEY_HOME, Key::kHome},
                               {GLFW_KEY_LEFT_BRACKET, Key::kBracketLeft},
                               {GLFW_KEY_RIGHT_BRACKET, Key::kBracketRight},
                               {GLFW_KEY_EQUAL, Key::kPlus},
                               {GLFW_KEY_KP_ADD, Key::kPlus},
                               {GLFW_KEY_MINUS, Key::kMinus},
                               {GLFW_KEY_KP_SUBTRACT, Key::kMinus},
                               {GLFW_KEY_KP_DECIMAL, Key::kNumpadDecimal},
                               {GLFW_KEY_LEFT_SHIFT, Key::kShift},
                               {GLFW_KEY_RIGHT_SHIFT, Key::kShift},
                               {GLFW_KEY_LEFT_ALT, Key::kAlt},
                               {GLFW_KEY_RIGHT_ALT, Key::kAlt}};

}  // namespace

std::optional<Key> key_of(int glfw_key, int scancode) {
  for (const KeyPair& pair : kPlaces)
    if (pair.glfw == glfw_key) return pair.key;
  if (glfw_key >= GLFW_KEY_1 && glfw_key <= GLFW_KEY_9) return Key(int(Key::k1) + glfw_key - GLFW_KEY_1);
  if (glfw_key >= GLFW_KEY_KP_1 && glfw_key <= GLFW_KEY_KP_9) return Key(int(Key::kNumpad1) + glfw_key - GLFW_KEY_KP_1);
  switch (letter_of(glfw_key, scancode)) {
    case 'F':
      return Key::kF;
    case 'H':
      return Key::kH;
    case 'C':
      return Key::kC;
    case 'V':
      return Key::kV;
    case 'L':
      return Key::kL;
    default:
      return std::nullopt;
  }
}

}  // namespace viewer
