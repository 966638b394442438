// What hipsplat info says of a dataset before anything is trained: what was found, what will be done with it, what it
// needs.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "splat/model/dataset.h"

namespace io {

struct PreflightOptions {
  size_t bytes_per_splat = 0;  // host memory of one splat while training: parameters, moments, gradients, statistics
  size_t max_splats = 0;       // what --max-splats allows; 0: unknown
  size_t base_bytes = 0;       // what the program needs besides photos and splats
  size_t machine_bytes = 0;    // memory that may be used; 0: unknown
  size_t random_splats = 0;    // what training starts from where there are no points
  size_t matching_bytes = 0;   // what matching photos holds before there are splats
};

struct Preflight {
  struct Camera {               // photos with the same lens and size
    std::string model;          // "OPENCV"
    int width = 0, height = 0;  // px, as reconstructed
    splat::PinholeCamera training;
    size_t images = 0;  // photos
    std::string plan;   // "OPENCV 1008x756, fx 802.1, undistorted to a pinhole 504x378, fx 398.0"
  };
  std::string path, format;
  std::vector<Camera> cameras;
  size_t registered = 0, used = 0, masked = 0, with_alpha = 0;  // photos; a panorama is one
  size_t with_depth = 0;                                        // photos with a depth map, where those are looked for
  std::optional<double> mask_share;         // of the photos, that masks exclude; none: not looked at
  size_t views = 0;                         // what is trained on and held out: faces one by one
  std::vector<std::string> missing, extra;  // all of them
  size_t points = 0, training = 0;
  std::vector<std::string> held_out, left_out;  // names of the photos
  size_t image_bytes = 0;                       // all photos in memory
  size_t splat_bytes_start = 0;                 // a splat for each point, or the random ones
  size_t splat_bytes_max = 0;                   // at max_splats; 0: unknown
  size_t total_bytes = 0;                       // photos, base_bytes, the most splats known of or matching
  size_t machine_bytes = 0;
  std::vector<std::string> notes, warnings;  // Dataset's, and more warnings
};

// Looks into masks: how much they exclude, and which exclude nothing or cannot be read. Of more than kMasksLookedAt
// some, spread over all. Cost: each is decoded.
inline constexpr size_t kMasksLookedAt = 200;
void look_at_masks(const splat::Dataset& dataset, int threads, Preflight& preflight);

Preflight make_preflight(const splat::Dataset& dataset, const PreflightOptions& options);
std::vector<std::string> preflight_lines(const Preflight& preflight);  // for people; lists are cut after ten
nlohmann::json preflight_json(const Preflight& preflight);

}  // namespace io
