// report.html, self-contained: what was trained on which data, the figures, curves of loss, PSNR and splat
// count, held-out views beside their photos with a map of the error, and every setting.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/jobs/training/run_record.h"
#include "splat/model/image.h"

namespace app {

inline constexpr int kReportPictureSide = 640;  // px, longest side
inline constexpr size_t kReportPictureBytes = size_t(6)
                                              << 20;  // of JPEG data in all; further views are listed by figures

// Collects pictures while views are evaluated, within the bounds above.
class ReportPictures {
 public:
  struct View {
    splat::ViewMetrics metrics;
    int width = 0, height = 0;         // px
    std::string photo, render, error;  // JPEG
  };
  // `expected`: how many views will come; evenly spread ones are taken when they would be too many.
  explicit ReportPictures(size_t expected) : expected_(expected) {}
  void add(const splat::ViewMetrics& metrics, const splat::ImageF& render, const splat::TrainingImage& photo);
  const std::vector<View>& views() const { return views_; }

 private:
  size_t expected_, seen_ = 0, bytes_ = 0;
  std::vector<View> views_;
};

std::string report_html(const RunRecord& record, const nlohmann::json& settings,
                        const std::vector<ReportPictures::View>& views);

}  // namespace app
