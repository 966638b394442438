// Photos where they were taken: small ones in the picture planes of their cameras, and one with its name and figures
// beside the pointer.
#pragma once

#include "studio/window/scene_place.h"
#include "studio/window/workspace.h"

namespace studio {

double camera_depth(const Workspace& work);  // world units: how far the picture plane of a camera is drawn from it
// Depth from which cameras are shown: nearer ones would cross the picture of what is orbited. Half of the way there, so
// that all are seen from outside of their ring.
double nearest_camera(const Workspace& work);
void draw_photos_in_cameras(Workspace& work, const ScenePlace& scene);  // where they are wanted
void draw_pointed_photo(Workspace& work, int view);                     // that the pointer is on; -1: none

}  // namespace studio
