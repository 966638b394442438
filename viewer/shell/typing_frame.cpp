#include "viewer/shell/typing_frame.h"

#include <imgui/imgui.h>
// After imgui.h.
#include <imgui/imgui_internal.h>

namespace viewer {
namespace {

// Keys of letters, which come as text besides, and Shift. F24 is what parts frames when a modifier is let go.
bool types(const ImGuiContext& context, ImGuiKey key) {
  if (key == ImGuiKey_F24 || key == ImGuiMod_Shift || key == ImGuiKey_LeftShift || key == ImGuiKey_RightShift)
    return true;
  return ImGui::IsNamedKey(key) && key != ImGuiKey_Tab && context.KeysMayBeCharInput.TestBit(key);
}

bool types(const ImGuiContext& context, const ImGuiInputEvent& event) {
  switch (event.Type) {
    case ImGuiInputEventType_Text:
    case ImGuiInputEventType_MousePos:
      return true;
    case ImGuiInputEventType_Key:
      return types(context, event.Key.Key);
    default:
      return false;
  }
}

// How many events come first that type letters; 0: none of them is a letter.
int typed_first(const ImGuiContext& context) {
  const ImGuiIO& io = context.IO;
  if (!io.WantTextInput || io.KeyCtrl || io.KeyAlt || io.KeySuper) return 0;
  int count = 0;
  bool letters = false;
  for (; count < context.InputEventsQueue.Size && types(context, context.InputEventsQueue[count]); ++count)
    letters |= context.InputEventsQueue[count].Type == ImGuiInputEventType_Text;
  return letters ? count : 0;
}

}  // namespace

void begin_typing_frame() {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  const int typed = typed_first(context);
  if (typed == 0) return ImGui::NewFrame();
  ImVector<ImGuiInputEvent>& queue = context.InputEventsQueue;
  ImVector<ImGuiInputEvent> later;
  for (int i = typed; i < queue.Size; ++i) later.push_back(queue[i]);
  queue.resize(typed);
  context.IO.ConfigInputTrickleEventQueue = false;
  ImGui::NewFrame();
  context.IO.ConfigInputTrickleEventQueue = true;
  for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

}  // namespace viewer
