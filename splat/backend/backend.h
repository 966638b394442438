// What a device must do to train and render: coarse calls, milliseconds each; all training state lives on the device.
// The trainer and the strategies are written once on top of this. Implementations: reference/ (double, brute force, the
// oracle of the tests), cpu/ (tiles, SIMD, threads), gpu/ (HIP).
//
// One training iteration: forward(view) -> loss(target) -> backward() -> update(steps).
// backward() ends with the gradients by the projected splats; the chain to the 59 parameters is fused with Adam in
// update(), or made visible by read_gradients() between the two, for tests. Calls out of that order are bugs
// (iteration_state.h), and so are images of another size than the view's; row operations require a new forward().
// A splat is visible in a view when its projection is valid (math/project.h), its opacity (compensated when
// antialiasing) is at least math::kAlphaMin, its colour is finite, and its bounding box meets the image
// (math/parameter_chain.h). What is not visible gets zero gradients, and Adam steps it when it is visible again, at
// once by all that it has missed (math/adam.h); where a regularizer moves every row, all are stepped. Not thread-safe:
// one thread owns a backend.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/check.h"
#include "splat/math/adam.h"
#include "splat/math/constants.h"
#include "splat/math/dropout.h"
#include "splat/math/photo_colour.h"
#include "splat/math/row_look.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "splat/model/image.h"

namespace splat {

struct RowRules;
struct RowVerdicts;
struct SurfaceSettings;

struct BackendInfo {
  std::string name;    // "cpu", "hip", "cuda", "reference"
  std::string device;  // "AMD EPYC 9654, 2 threads, AVX2"
  // Memory of its own, when the backend was made; 0: it works in the host's.
  uint64_t device_total_bytes = 0, device_free_bytes = 0;
  // What training takes of a GPU's memory: for each splat there may be (SH degree 3), and for each pixel of the largest
  // view; photos come on top. 0: not a GPU.
  uint64_t device_bytes_per_splat = 0, device_bytes_per_pixel = 0;
};

struct RenderSettings {
  int sh_degree = kMaxShDegree;              // degree used for colour; more than the model stores means all it has;
                                             // coefficients above it are not used and get zero gradients
  bool antialias = false;                    // Mip-Splatting's opacity compensation of the 2D low-pass
  std::array<float, 3> background{0, 0, 0};  // [0,1]
  math::Dropout dropout;                     // of training; nothing is left out by default
  float low_pass = float(math::kLowPass);    // px^2 added to the 2D covariances' diagonals
  uint64_t photo = 0;                        // whose view this is, as LossSettings::photo: a GPU remembers how much of
                                             // the model it saw; 0: unknown
  friend bool operator==(const RenderSettings&, const RenderSettings&) = default;
};

// Where the mask is 0 the rendered pixel is replaced by the target's before L1 and SSIM (zero padding at the border),
// and gets no gradient; the means run over the other pixels, all three channels. Nothing left: l1 0, ssim 1, total 0.
// The picture is seen through `colour`, by channel, before it is compared. A photo with alpha is laid over the
// background that the picture was drawn with, and where it shows nothing at all it says nothing about `colour`.
using PhotoColour = std::array<math::ChannelColour<double>, 3>;
struct LossSettings {
  float ssim_weight = 0.2f;  // loss = (1 - w) L1 + w (1 - SSIM), means over the pixels the mask lets count
  bool late = false;         // a GPU may return the value of the call before, so that the host need not wait for it
  uint64_t photo = 0;        // which photo the target is, from 1: a GPU may keep it until the next upload(); 0: unknown
  PhotoColour colour{};      // of the photo; as drawn by default
};

struct LossValue {
  double total = 0;
  double l1 = 0;                                   // mean absolute error per channel value
  double ssim = 0;                                 // mean SSIM
  PhotoColour v_colour{{{0, 0}, {0, 0}, {0, 0}}};  // gradient of total by LossSettings::colour
  bool of_call_before = false;                     // LossSettings::late: this is not the value of the view drawn last
};

// Gradient of the loss by a small motion of the camera's frame, x <- x + rotation x x + translation (math::Twist), with
// the motion of the covariances and of the colours' directions: the same bytes on every run of the CPU.
struct PoseGradient {
  std::array<double, 3> translation{0, 0, 0};  // 1 / world units
  std::array<double, 3> rotation{0, 0, 0};     // 1 / radians
};

// Adam, Kingma and Ba 2015, with one rate per parameter group. `iteration` is 1 for the first update and rises by one
// with each (bias correction, steps that rows have missed).
struct AdamSettings {
  int iteration = 1;
  float mean_rate = 1.6e-4f;  // world units: already multiplied by the scene extent and the schedule
  float sh0_rate = 2.5e-3f;
  float sh_rest_rate = 1.25e-4f;
  float opacity_rate = 0.025f;
  float log_scale_rate = 5e-3f;
  float quat_rate = 1e-3f;
  float beta1 = 0.9f, beta2 = 0.999f;
  float epsilon = 1e-15f;
  uint64_t seed = 0;                // of rounding packed moments
  float opacity_regularizer = 0;    // weight of mean(opacity) in the loss (MCMC: 0.01)
  float scale_regularizer = 0;      // weight of mean(scale) over all N*3 values in the loss (MCMC: 0.01)
  float thickness_regularizer = 0;  // weight of mean(smallest scale of a splat) in the loss (PGSR)
                                    // (these means run over all N splats, visible or not)
};

// The rates of updates that were, by which rows make up for steps that they have missed.
struct AdamHistory {
  int iteration = 0;                    // of the last one
  std::vector<math::AdamValues> rates;  // [up to kAdamPast] of iterations up to this one, the last one last
};
math::AdamValues adam_rates(const AdamSettings& settings);

// Noise on the means (math/mean_noise.h), drawn by (seed, iteration, row).
struct MeanNoise {
  float strength = 0;  // 1 / world units
  uint64_t seed = 0;
  int iteration = 0;
};

// First and second moments of Adam, each shaped like the parameters.
struct AdamMoments {
  Gaussians first, second;            // as of each row's last step
  std::vector<uint32_t> last_step{};  // [N] its iteration; 0 (also where the array is empty): nothing was missed since
};

// What densification decides on, accumulated by backward() over the views since reset_statistics().
struct DensifyStatistics {
  std::vector<float> mean2d_gradient_norm;  // [N] sum over views where visible of |dL/d mean2d| in NDC units:
                                            // (v_x * W/2, v_y * H/2) with v in 1/px, as INRIA's viewspace gradient
  std::vector<uint32_t> visible_count;      // [N] number of those views
  std::vector<float> max_radius_px;         // [N] largest 3-sigma screen radius seen (ceil(3 sqrt(largest eigenvalue)))
};

// What every splat adds to a picture.
struct Contributions {
  std::vector<float> max_weight;      // [N] largest blending weight alpha T at a pixel, [0,1]
  std::vector<float> weight_sum;      // [N] over the pixels
  std::vector<uint32_t> pixel_count;  // [N] pixels where the weight is at least ContributionSettings::min_weight
};

struct ContributionSettings {
  std::span<const uint8_t> mask;  // [H,W] only pixels that are not 0 count; empty: all do
  float min_weight = 0;           // for pixel_count; 0: wherever the splat is blended at all
};

// Depth is along the camera's axis, world units.
enum class DepthKind {
  kMedian,   // [H,W] of the first splat behind which the transmittance is at most 0.5; 0 where there is none
  kMean,     // [H,W] mean weighted with the blending weights; 0 where nothing is drawn
  kMoments,  // [3,H,W] sums over the splats of weight, weight times depth, weight times squared depth
};

// How rows are drawn in pictures of a model that is edited.
struct RowLooks {
  std::span<const uint8_t> looks;  // [N] math::RowLook; empty: all as they are
  math::Tints tints{};
};

// What one stage of the last iteration took, and how much work it was.
struct StageTime {
  std::string_view name;           // "project"; static storage
  double wall_ms = 0, cpu_ms = 0;  // cpu: of all threads of the process; 0 where a stage runs on a device
  uint64_t units = 0;              // of its natural unit of work ...
  std::string_view unit;           // ... "splat", "instance" (a splat in a tile), "16-pixel block", "pixel"
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendInfo& info() const = 0;

  // ---- model rows. Parameters, moments and statistics of a splat always move together.
  virtual size_t size() const = 0;  // N
  // Up to here growth allocates nothing, until the next upload(). Where a device refuses (DeviceError) all stays as it
  // was. Requires a new forward().
  virtual void reserve(size_t max_splats) = 0;
  virtual void upload(const Gaussians& model) = 0;  // replaces all rows; moments and statistics become zero
  // From the next upload() on: both of a parameter's moments in one word, as bfloat16 rounded at random (math/adam.h).
  virtual void pack_moments(bool packed) = 0;
  // Rows [first, first + count), at the degree of the uploaded model, or all of them but the colours. A block after
  // another, nobody holds all rows twice.
  virtual void download_rows(size_t first, size_t count, Gaussians& rows) const = 0;
  virtual void download_ellipsoid_rows(size_t first, size_t count, Ellipsoids& rows) const = 0;
  virtual void upload_moment_rows(size_t first, const AdamMoments& rows) = 0;
  virtual void download_moment_rows(size_t first, size_t count, AdamMoments& rows) const = 0;
  // New row i = old row kept[i], ascending and unique; behind them row i of `copies` with the colour of old row
  // sources[i], moments and statistics zero. Needs no more room than the rows before or those after it.
  virtual void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                                  const Ellipsoids& copies) = 0;
  virtual void append_rows(const Gaussians& rows) = 0;  // moments and statistics zero
  // Row indices[i] = rows[i], at the stored degree; statistics stay, moments stay unless reset.
  virtual void write_rows(std::span<const uint32_t> indices, const Gaussians& rows, bool reset_moments) = 0;
  // Likewise row targets[i] = row i of `copies` with the colour of row sources[i], perhaps its own. Targets are unique,
  // and none that gets another row's colour is a source (row_copies.h).
  virtual void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                         bool reset_moments) = 0;
  virtual void limit_opacity(
      float max_opacity) = 0;  // o = min(o, max), the opacity moments become zero (INRIA's reset)

  // o = max(o - by, least): what no photo holds up fades away. Moments stay.
  virtual void lower_opacity(float by, float least) = 0;
  virtual void add_noise(const MeanNoise& noise) = 0;

  // A step of density control, decided where the rows are (row_rules.h). false: not by this backend, which has done
  // nothing. Requires a new forward().
  virtual bool judge_rows(const RowRules& /*rules*/, RowVerdicts& /*verdicts*/) { return false; }

  // May put the rows into an order in which neighbours lie together, where rendering gains by it.
  virtual void sort_rows_in_space() {}

  // The first `count` rows are drawn and stay what and where they are until the next upload(): update() and what
  // changes all rows leaves them alone, and keep_rows() must keep them. Their moments are zero, their statistics mean
  // nothing.
  virtual void fix_rows(size_t count) = 0;

  // ---- rendering
  // Looks of the rows from the next forward() on, for pictures alone: with a loss it is a bug. Cost: N bytes. Rows that
  // come, go or change places end it. Where the same rows are drawn as before, what was drawn can be read on, and the
  // same view drawn again may cost less.
  virtual void set_looks(const RowLooks& looks) = 0;
  virtual void forward(const View& view, const RenderSettings& settings) = 0;
  // Picture of the last forward, until the model changes. Not const: a GPU may find out now that it must draw again.
  virtual void read_image(ImageF& image) = 0;                        // background included
  virtual void read_transmittance(std::vector<float>& final_t) = 0;  // [H,W]

  // For the last forward, until backward() or the model changes. A second walk over the lists of the view, which costs
  // about what blending them did, less outside a mask; nothing where it is not called. The same bytes on every run.
  virtual void read_contributions(const ContributionSettings& settings, Contributions& contributions) = 0;
  virtual void read_depth(DepthKind kind, std::vector<float>& depth) = 0;

  // ---- training
  // Whether loss() has the photo of this number (LossSettings::photo) already. Room for splats may end that.
  virtual bool keeps_photo(uint64_t /*photo*/) const { return false; }
  // A target without pixels: the photo that is kept.
  virtual LossValue loss(const TrainingImage& target, const LossSettings& settings) = 0;
  // After loss() and before backward(), which then adds the gradient of this as well (surface_settings.h). Costs what
  // blending the view forward and back does; nothing where it is not called.
  virtual void add_surface_loss(const SurfaceSettings& settings) = 0;
  virtual void backward() = 0;
  virtual void update(const AdamSettings& settings) = 0;
  // The updates since upload(); and those before it, where a run goes on here and its rows have come back. Without
  // recall() the rates before were those of the first update.
  virtual AdamHistory adam_history() const = 0;
  virtual void recall(const AdamHistory& history) = 0;
  // Gradients of the loss (without regularizers) after backward() and before update(); slow, for tests.
  virtual void read_gradients(Gaussians& v_model, std::array<float, 3>& v_background) = 0;
  // Gradient of the loss by the pose of the view, likewise after backward() and before update(). Costs about a
  // quarter of update(), and on a GPU the wait for the host; nothing where it is not called.
  virtual PoseGradient read_pose_gradient() = 0;
  // Sets the gradient by the image directly in place of loss(); for tests.
  virtual void set_image_gradient(const ImageF& v_image) = 0;

  // ---- densification statistics
  virtual void read_statistics_rows(size_t first, size_t count, DensifyStatistics& rows) = 0;
  virtual void write_statistics_rows(size_t first, const DensifyStatistics& rows) = 0;  // from a checkpoint
  virtual void reset_statistics() = 0;

  // ---- all rows at once
  void download(Gaussians& model) const { download_rows(0, size(), model); }
  void download_ellipsoids(Ellipsoids& rows) const { download_ellipsoid_rows(0, size(), rows); }
  void keep_rows(std::span<const uint32_t> kept) { keep_and_copy_rows(kept, {}, {}); }
  void upload_moments(const AdamMoments& moments);  // of every row
  void download_moments(AdamMoments& moments) const { download_moment_rows(0, size(), moments); }
  void read_statistics(DensifyStatistics& statistics) { read_statistics_rows(0, size(), statistics); }
  void write_statistics(const DensifyStatistics& statistics);  // of every row

  virtual void wait() const {}              // until a device has done all the work it was given
  virtual size_t memory_bytes() const = 0;  // held by this backend now
  // The stages of the last iteration, in order; none from a backend that does not time itself. Counts the units only
  // now: allocates, and takes milliseconds on a large scene. For --bench, outside the times it measures.
  virtual std::vector<StageTime> stage_times() const { return {}; }
};

inline void Backend::upload_moments(const AdamMoments& moments) {
  SPLAT_CHECK_EQ(moments.first.size(), size());
  upload_moment_rows(0, moments);
}
inline void Backend::write_statistics(const DensifyStatistics& statistics) {
  SPLAT_CHECK_EQ(statistics.visible_count.size(), size());
  write_statistics_rows(0, statistics);
}

}  // namespace splat
