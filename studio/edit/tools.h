// The tools of the edit mode as they are offered: names, tips, keys and icons, in the order of EditTool.
#pragma once

#include <string>

#include "studio/edit/edit_mode.h"
#include "studio/edit/send_edit.h"

namespace studio {

struct ToolRow : Offer {
  const char* icon;
};

inline constexpr size_t kEditTools = size_t(EditTool::kLook) + 1;

const ToolRow& tool_row(EditTool tool);
// What a tool's button and key do; once more: its next kind of handles.
void choose_tool(Workspace& work, EditTool tool);
void strip_text(const Workspace& work, const std::string& text);  // faint, in the rest of the tool's strip

}  // namespace studio
