#include "app/jobs/training/run_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/jobs/host/host.h"

namespace app {

std::string RunProgress::sentence() const {
  std::string text = fmt::format("{}/{}  {:.1f} it/s  loss {:.4f}", iteration, iterations, iterations_per_second, loss);
  if (psnr) text += fmt::format("  PSNR {:.2f} dB", *psnr);
  return text + fmt::format("  {} splats", human_count(splats));
}

nlohmann::json RunProgress::facts() const {
  nlohmann::json object{{"type", "progress"},
                        {"iteration", iteration},
                        {"iterations", iterations},
                        {"iterations_per_second", iterations_per_second},
                        {"loss", loss},
                        {"splats", splats},
                        {"seconds", seconds},
                        {"eta_seconds", eta_seconds}};
  if (psnr) object["psnr"] = *psnr;
  return object;
}

double RunProgress::share() const { return double(iteration) / std::max(iterations, 1); }

}  // namespace app
