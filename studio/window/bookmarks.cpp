// The list of bookmarks: a picture of each view, to go there, to set it anew and to delete it.
#include <algorithm>
#include <optional>
#include <string>

#include "splat/core/counted.h"
#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr int kWidth = 160, kHeight = 120;  // px, of pictures
constexpr float kPictureLines = 3, kNameEms = 4;

// Small ones, of those whose view has changed; anew: of all.
void want_pictures(Workspace& work, bool anew) {
  const Navigator::Bookmarks& now = work.look.navigator.bookmarks();
  DisplaySettings drawn = drawn_settings(work);
  drawn.see_through = false;
  for (size_t i = 0; i < now.size(); ++i) {
    std::optional<CameraState>& asked = work.received.bookmarks_pictured[i];
    if (now[i] && (anew || !asked || !same_camera(*asked, *now[i])))
      work.ask(WantBookmarkPicture{int(i), {view_of(*now[i], kWidth, kHeight), drawn}});
    asked = now[i];
  }
}

void bookmark_row(Workspace& work, int index) {
  Navigator& navigator = work.look.navigator;
  const std::string number = std::to_string(index + 1), name = "View " + number;
  const float height = kPictureLines * ImGui::GetTextLineHeight(), width = height * float(kWidth) / float(kHeight),
              gap = ImGui::GetStyle().ItemSpacing.x;
  const ImVec2 corner = ImGui::GetCursorScreenPos(), end{corner.x + width, corner.y + height};
  ImGui::PushID(index);
  if (ImGui::Selectable("##go", false, 0, {width + gap + kNameEms * ImGui::GetFontSize(), height}))
    navigator.go_to_bookmark(index);
  note_place(name.c_str());
  tooltip(("Go to this view (" + number + ")").c_str());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto picture = work.received.bookmark_pictures.find(index);
  if (picture != work.received.bookmark_pictures.end())
    list.AddImage(texture_id(picture->second.texture()), corner, end);
  else
    list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg));
  list.AddText({end.x + gap, corner.y + (height - ImGui::GetTextLineHeight()) / 2}, ImGui::GetColorU32(ImGuiCol_Text),
               name.c_str());
  ImGui::SameLine();
  if (button("Set", ("Store the present view in its place (Ctrl+" + number + ")").c_str(), 0, height))
    navigator.store_bookmark(index);
  ImGui::SameLine();
  if (button("Delete", "Forget this view", 0, height)) navigator.forget_bookmark(index);
  ImGui::PopID();
}

}  // namespace

void draw_bookmarks(Workspace& work) {
  Navigator& navigator = work.look.navigator;
  const Navigator::Bookmarks& all = navigator.bookmarks();
  const auto stored = std::count_if(all.begin(), all.end(), [](const auto& one) { return one.has_value(); });
  Row row("Bookmarks",
          "Views to come back to, remembered for this scene. Press 1 to 9 to go to one, Ctrl+1 to 9 to store the "
          "present view");
  const std::string text = stored == 0 ? "none" : splat::counted(size_t(stored), "view");
  const bool open = ImGui::BeginCombo("##bookmarks", text.c_str(), ImGuiComboFlags_HeightLargest);
  note_place("##bookmarks");
  if (!open) return;
  want_pictures(work, ImGui::IsWindowAppearing());
  for (int i = 0; i < Navigator::kBookmarks; ++i)
    if (all[size_t(i)]) bookmark_row(work, i);
  const auto vacant = std::find(all.begin(), all.end(), std::nullopt) - all.begin();
  if (vacant < Navigator::kBookmarks && button("Store this view", ("As View " + std::to_string(vacant + 1)).c_str()))
    navigator.store_bookmark(int(vacant));
  ImGui::EndCombo();
}

}  // namespace studio
