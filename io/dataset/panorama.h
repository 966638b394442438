// Equirectangular photos (360 degrees by 180) become six pinhole views, the faces of a cube around the camera: 90
// degrees each way, one centre, poses composed with the photo's. A face is named after its photo, "tour/12.jpg" gives
// "tour/12.front.jpg". Held out are photos, so all faces of one or none.
// Resampled by area where the photo is finer than the face, linearly where it is coarser; a mask and alpha likewise,
// as photos of other lenses. Adjacent faces meet: both see the same on their common edge.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/dataset/source_photo.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace io {

struct PanoramaFace {
  std::string_view name;                  // "front"
  std::array<double, 9> face_from_photo;  // rotation, row-major
};
std::span<const PanoramaFace> panorama_faces();

// The name of a photo's view: "a.jpg" -> "a.front.jpg".
std::string face_name(const std::string& photo, const PanoramaFace& face);

// Sides of a face that shows the middle of the photo, `width` px wide, at its own resolution.
int panorama_face_side(int width);
splat::PinholeCamera panorama_face_camera(int side);

// Replaces every view of a panorama by its faces; `views` stay sorted. An error where two names become the same.
splat::Status split_panoramas(std::vector<splat::DatasetView>& views);

// What `camera`, turned as the face, sees of the photo. Cost: about 0.1 microseconds a pixel of the face, and one pass
// over the part of the photo.
splat::TrainingImage cut_panorama_face(const SourcePhoto& photo, const PanoramaFace& face,
                                       const splat::PinholeCamera& camera);

}  // namespace io
