// The model that is shown, of the run or of the opened splats: what is asked of it beside pictures of the present view.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "splat/model/camera.h"
#include "studio/names.h"
#include "viewer/camera/geometry.h"
#include "viewer/live/engine_image.h"

namespace studio {

struct PickPoint {  // the surface under a pixel; answered by a PickedPoint
  splat::View view;
  double x = 0, y = 0;               // px
  std::string tool{};                // that wants it, by its name; empty: the camera focuses on it
  std::optional<uint32_t> object{};  // of the edited splats, alone; none: all
};
struct PickedPoint {
  using OnlyNewest = void;
  std::optional<Vec3> point;  // none: no surface there
  std::string tool{};         // as asked for, like the object
  std::optional<uint32_t> object{};
};
struct PublishModel {};  // the model of the run as it is now comes as OpenedSplats; it does so by itself at the end
struct SaveRendering {   // as PNG: exactly this view at its full size, by the engine
  RenderRequest request;
  std::filesystem::path path;  // empty: a file for the clipboard, answered by a PictureToCopy
  bool transparent = false;    // where no splats are, in place of the background
};
inline constexpr int kResultPicture = -1;  // in place of a bookmark: of what a run came to
struct WantBookmarkPicture {               // answered by a BookmarkPicture
  int bookmark = 0;                        // Navigator::bookmarks()
  RenderRequest request;                   // of its view
};
struct BookmarkPicture {
  int bookmark = 0;
  EngineImage picture;  // empty: there are no splats
};
struct PictureToCopy {
  using OnlyNewest = void;
  std::filesystem::path png;  // replaced by the next one
};

}  // namespace studio
