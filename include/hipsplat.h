/* hipsplat.h: 3D Gaussian splats for other programs: files, pictures, points. Plain C99; also C++, ctypes.
 *
 * Link with -lhipsplat (pkg-config hipsplat), or by CMake: find_package(hipsplat), target hipsplat::hipsplat.
 *
 * Errors.     Every call that can fail returns hs_status: HS_OK (0), else hs_error() is one sentence about it. No call
 *             aborts, throws, or writes to stdout or stderr. After an error outputs are undefined, handles as before.
 * Structs     begin with `size_t struct_size`, which the caller sets to sizeof(the struct), so that later versions can
 *             add fields to their ends. A struct that is smaller, or has a later version's fields that are not zero, is
 *             an HS_ERROR_ARGUMENT. Zeroed fields of options mean the default that is said here; settings with numbers
 *             for which 0 means something are begun by their hs_..._defaults().
 * Arrays      are contiguous, in the host's memory, and the caller's, unless another owner is named. Shapes are in
 *             brackets, the last index fastest: N splats, C cameras, H and W pixels, K = (sh_degree + 1)^2.
 * Strings     are UTF-8 and end in a zero byte.
 * Units.      World: the file's, any frame. Cameras look along +z, x right, y down. Pixels: the centre of the top-left
 *             one lies at (0.5, 0.5). Quaternions are wxyz. Colours are 0 to 1, as displays take them (sRGB).
 * Threads.    Any thread may call. Calls on one hs_device wait for each other; different devices run side by side. Of
 *             one hs_file, hs_file_free() must be the last call. A device is not to be used after fork() in the child.
 */
#ifndef HIPSPLAT_H
#define HIPSPLAT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HS_API __attribute__((visibility("default")))
#else
#define HS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- versions and errors */

#define HS_VERSION_MAJOR 0
#define HS_VERSION_MINOR 1
#define HS_VERSION_PATCH 0

typedef enum hs_status {
  HS_OK = 0,
  HS_ERROR_ARGUMENT = 1,    /* what the caller gave: null, a size, a number out of range */
  HS_ERROR_FILE = 2,        /* a file: missing, broken, of no known format, a full disk */
  HS_ERROR_DEVICE = 3,      /* no such device here, or it failed */
  HS_ERROR_MEMORY = 4,      /* not enough memory, of the host or the device */
  HS_ERROR_UNSUPPORTED = 5, /* allowed, but not (yet) possible with this device or version */
  HS_ERROR_INTERNAL = 6     /* a bug of hipsplat: please report the sentence */
} hs_status;

/* "0.1.0": of the library in use, where HS_VERSION_... are of this header. */
HS_API const char* hs_version(void);
/* One sentence about this thread's last failure, without an end mark; valid until its next one. "" before the first. */
HS_API const char* hs_error(void);

/* ---- devices: what draws */

typedef struct hs_device_info {
  size_t struct_size;
  char backend[16]; /* "cpu"; "hip": AMD; "cuda": NVIDIA; "reference": slow, in double precision, to compare with */
  int32_t index;    /* among those of the backend, from 0; -1: it has none here */
  int32_t usable;   /* 1: yes */
  char name[128];   /* "AMD Radeon RX 7900 XTX" */
  char reason[512]; /* of a list: why it is (not) usable; of an open device: why this one was taken */
  uint64_t memory_bytes; /* of its own; 0: it works in the host's */
  char proof[128];       /* of an open device: how its test picture compares with the reference's */
} hs_device_info;

/* All devices that are known of, usable or not; none of the reference. Writes at most `room` of them and, where `count`
 * is not null, how many there are. infos may be null with room 0; the struct_size of the first counts for all. Costs
 * the start of the GPUs' runtimes the first time. */
HS_API hs_status hs_device_list(hs_device_info* infos, int32_t room, int32_t* count);

typedef struct hs_device hs_device;

typedef struct hs_device_options {
  size_t struct_size;
  const char* backend; /* as in hs_device_info; null or "auto": the working GPU with the most memory, else the CPU */
  int32_t index;       /* of the backend's devices, from 0; -1: the best. "auto" does not look at it */
  int32_t threads;     /* of the host; 0: one a core */
} hs_device_options;

/* options may be null: the defaults. A backend that was named and does not work is an HS_ERROR_DEVICE, never a silent
 * fallback. Every device draws a test picture first, and is refused where that differs from the reference's. */
HS_API hs_status hs_device_open(const hs_device_options* options, hs_device** device);
HS_API hs_status hs_device_describe(hs_device* device, hs_device_info* info);
/* Null is nothing. No other call may be running on it. */
HS_API void hs_device_close(hs_device* device);

/* ---- splats in arrays */

typedef struct hs_splats {
  size_t struct_size;
  uint64_t count;               /* N */
  int32_t sh_degree;            /* 0 to 3 */
  int32_t antialiased;          /* 1: trained with the low pass's opacity compensation, to be drawn so */
  const float* means;           /* [N,3] */
  const float* quats;           /* [N,4] wxyz, any length > 0 */
  const float* log_scales;      /* [N,3] ln(one standard deviation) */
  const float* logit_opacities; /* [N] ln(o / (1 - o)) */
  const float* sh;              /* [N,K,3] colour = 0.5 + sum over k of Y_k(direction) sh_k, of INRIA's basis */
  double up[3];                 /* the vertical axis; zeros: not known */
  double origin[3];             /* position + origin = coordinates of the reference system `epsg` */
  double metres_per_unit;       /* 0: not known */
  int32_t epsg;                 /* 0: not known */
  int32_t flat;                 /* 1: 2D Gaussians, whose third axis means nothing */
  /* Not 0: the arrays are the ones, unchanged, that came under this number before: a device that has drawn them does
   * not copy them again. hs_file_splats() sets it; for arrays of your own leave it 0 or keep that promise. */
  uint64_t identity;
  double low_pass; /* px^2 that they are drawn with; 0: 0.3, as usual; below 0: none, as those of SHARP */
} hs_splats;

/* ---- files: PLY, compressed PLY, .splat, SPZ, SOG, glTF; KSPLAT is read only */

typedef struct hs_file hs_file;

typedef struct hs_file_info {
  size_t struct_size;
  const char* format;    /* "PLY (binary, little-endian)" */
  const char* producer;  /* "": the file does not say */
  const char* warnings;  /* a line each: oddities, and what was not read; "": none */
  uint64_t invalid_rows; /* splats with a NaN or a rotation of length 0: kept in the arrays, not drawn */
} hs_file_info;

/* Reads all of it, of a format recognised by its content. A SOG may be a folder. */
HS_API hs_status hs_load(const char* path, hs_file** file);
/* Pointers are valid until hs_file_free(). */
HS_API hs_status hs_file_splats(hs_file* file, hs_splats* splats);
HS_API hs_status hs_file_describe(hs_file* file, hs_file_info* info);
/* Null is nothing. */
HS_API void hs_file_free(hs_file* file);

typedef struct hs_save_options {
  size_t struct_size;
  int32_t spz_version; /* of .spz: 4, or 3, which more programs read; 0: 4 */
  int32_t threads;     /* 0: one a core */
} hs_save_options;

typedef struct hs_save_report {
  size_t struct_size;
  uint64_t written;  /* splats */
  uint64_t dropped;  /* left out, since they are not finite */
  uint64_t adjusted; /* with a value made finite */
  int32_t sh_degree; /* of the file */
  int32_t unused;
  char losses[512]; /* what the format does not keep, a line each; "": nothing */
} hs_save_report;

/* In the format that the path's end names: .ply, .compressed.ply, .splat, .spz, .sog, .glb. The file appears whole or
 * not at all. options and report may be null. Formats but PLY are made from a copy of the arrays. */
HS_API hs_status hs_save(const char* path, const hs_splats* splats, const hs_save_options* options,
                         hs_save_report* report);

/* ---- pictures of splats as files hold them */

/* Pinhole: x = fx X / Z + cx. */
typedef struct hs_camera {
  double cam_from_world[12]; /* rows of [R|t], R a rotation */
  double fx, fy, cx, cy;     /* px */
} hs_camera;

typedef struct hs_render_settings {
  size_t struct_size;
  int32_t width, height; /* px, 1 to 16384 */
  int32_t max_sh_degree; /* of the colours; 3: all */
  int32_t antialias;     /* opacity compensation of the low pass: 1 yes, 0 no, -1: as hs_splats says */
  float background[3];
  float low_pass; /* px^2, added to the variances on the screen; -1: as hs_splats says */
} hs_render_settings;

/* The defaults, with struct_size: max_sh_degree 3, antialias -1, background 0, low_pass -1. Set width and height. */
HS_API void hs_render_defaults(hs_render_settings* settings);

/* C pictures of all splats. rgb [C,H,W,3] is not clamped; alpha [C,H,W]; depth [C,H,W], world units along the camera's
 * axis, the mean by blending weights, 0 where nothing is drawn. Each may be null: not wanted. Cost: the upload of new
 * splats, once (identity), then what a picture costs. */
HS_API hs_status hs_render(hs_device* device, const hs_splats* splats, const hs_camera* cameras, int32_t camera_count,
                           const hs_render_settings* settings, float* rgb, float* alpha, float* depth);

/* ---- rasterisation, forward and backward: for training loops of your own
 *
 * Splats, pictures and gradients lie in arrays of the caller, in the memory of the device that draws (the host's for
 * cpu and reference), of the scene's type; `void *` below is float * or double *. In double all is computed by the
 * reference, which is slow. D channels (0 to 32). Nothing is owned or stepped here. What is not drawn has zeros
 * everywhere. A GPU draws HS_FLOAT32; its work goes to the stream of the call (hipStream_t, cudaStream_t), and the call
 * waits once for each camera. */

typedef enum hs_type { HS_FLOAT32 = 0, HS_FLOAT64 = 1 } hs_type;

typedef struct hs_scene {
  size_t struct_size;
  uint64_t count;            /* N */
  int32_t type;              /* hs_type, of all arrays of a call */
  int32_t channels;          /* D; 3 with sh */
  int32_t sh_coefficients;   /* K of sh */
  int32_t sh_degree;         /* used of sh: (sh_degree + 1)^2 <= K, 0 to 3 */
  int32_t colours_by_camera; /* 1: colours is [C,N,D] */
  int32_t unused;
  const void* means;       /* [N,3] */
  const void* quats;       /* [N,4] wxyz of any length; see raw_quats */
  const void* scales;      /* [N,3] one standard deviation */
  const void* covariances; /* [N,6] xx xy xz yy yz zz: in place of quats and scales */
  const void* opacities;   /* [N] 0 to 1 */
  const void* sh;          /* [N,K,3], or: */
  const void* colours;     /* [N,D] */
} hs_scene;

/* det0 and det1 are the determinants of the 2D covariance before and after the low pass. */
typedef enum hs_compensation {
  HS_COMPENSATION_NONE = 0,
  HS_COMPENSATION_GSPLAT = 1, /* opacity times sqrt(max(0, det0 / det1)) */
  HS_COMPENSATION_MIP = 2,    /* sqrt(max(1e-6, det0) / (max(1e-6, det1) + 1e-6) + 1e-6); 0 where one is at most 1e-6 */
  HS_COMPENSATION_INRIA = 3   /* sqrt(max(2.5e-5, det0 / det1)) */
} hs_compensation;
/* w: blending weight of a splat at a pixel, z: its depth. */
typedef enum hs_depth {
  HS_DEPTH_NONE = 0,
  HS_DEPTH_SUM = 1,      /* sum of w z */
  HS_DEPTH_EXPECTED = 2, /* sum of w z / max(alpha, 1e-10) */
  HS_DEPTH_INVERSE = 3   /* sum of w / z */
} hs_depth;
typedef enum hs_jacobian_clamp {
  HS_CLAMP_GSPLAT = 0, /* at 0.15 of the size beyond the border */
  HS_CLAMP_INRIA = 1   /* at 1.3 tan(fov / 2) from the axis */
} hs_jacobian_clamp;
typedef enum hs_footprint {
  HS_FOOTPRINT_EXACT = 0,      /* wherever alpha is at least 1/255 */
  HS_FOOTPRINT_THREE_SIGMA = 1 /* of that, INRIA's radius in tiles of 16 x 16 px */
} hs_footprint;

/* Where a call takes its scratch from: what it needs beyond its outputs, in the memory of the device, also what `kept`
 * holds. For programs whose own allocator is to know of it, as torch's. Both functions run on the thread that calls
 * hipsplat, within the call, and do nothing to it but return: of hipsplat they may call hs_drawn_free() alone. */
typedef struct hs_allocator {
  size_t struct_size;
  void* user; /* given to both functions */
  /* Some tens of times a camera. Memory for the work of `stream`, at a multiple of 64; null: there is none, and the
   * call is an HS_ERROR_MEMORY. */
  void* (*allocate)(void* user, size_t bytes, void* stream);
  /* Once for every address, before hs_rasterize() returns where nothing is kept or after an error, else by
   * hs_drawn_free() at the latest. Work that went to the stream before may still use the memory: it may go to what
   * comes later on that stream at once, to anything else when the stream has come so far. */
  void (*free)(void* user, void* memory);
} hs_allocator;

typedef struct hs_raster_settings {
  size_t struct_size;
  int32_t width, height;
  double low_pass;                                        /* px^2: 0.3 */
  double near_plane, far_plane;                           /* drawn where near <= z <= far: 0.01 and 1e10 (INRIA: 0.2) */
  double radius_clip;                                     /* px: splats whose radii are at most this are not drawn: 0 */
  double scale_modifier;                                  /* of scales: 1 */
  double alpha_max;                                       /* 0.99 (gsplat: 0.999) */
  double transmittance_stop;                              /* 1e-4 */
  int32_t compensation, depth, jacobian_clamp, footprint; /* of the enums above: 0 each */
  int32_t raw_quats;      /* 1: the rotation's formula on the quaternion as it is (INRIA); 0: on the normalised one */
  int32_t channels_first; /* 1: colour is [C,D,H,W]; 0: [C,H,W,D] */
  int32_t clamp_sh;       /* 1: colours from sh are max(0, 1/2 + sum); 0: without the maximum; 1 */
  int32_t unused;
  /* Null: the device's own memory, kept for later calls until hs_device_close(). Copied; what its functions need must
   * stay until hs_drawn_free(). For HS_FLOAT32 on cpu and GPUs; not in it are some KB a thread and a camera. */
  const hs_allocator* scratch;
} hs_raster_settings;

/* The defaults, those after the colons, with struct_size. Set width and height. */
HS_API void hs_raster_defaults(hs_raster_settings* settings);

/* Outputs; null: not wanted. */
typedef struct hs_pictures {
  size_t struct_size;
  void* colour;        /* background included */
  void* alpha;         /* [C,H,W] */
  void* depth;         /* [C,H,W] of hs_raster_settings::depth */
  void* means2d;       /* [C,N,2] px */
  void* depths;        /* [C,N] */
  void* conics;        /* [C,N,3] xx xy yy of the inverse of the 2D covariance */
  void* compensations; /* [C,N] */
  int32_t* radii;      /* [C,N,2] px: gsplat's; with three sigma INRIA's, in both places */
  int32_t* touched;    /* [C,N] pixels at which more than half of the light is left behind the splat */
} hs_pictures;

typedef struct hs_picture_gradients {
  size_t struct_size;
  const void *colour, *alpha, *depth; /* shapes as in hs_pictures; null: 0 */
} hs_picture_gradients;

/* Outputs, overwritten; null: not wanted. */
typedef struct hs_screen_gradients {
  size_t struct_size;
  void* means2d;     /* [C,N,2] 1/px */
  void* means2d_abs; /* [C,N,2] sums over pixels of absolute values */
} hs_screen_gradients;
/* Outputs, overwritten, summed over the cameras; null: not wanted. Shapes as in hs_scene. */
typedef struct hs_scene_gradients {
  size_t struct_size;
  void *means, *quats, *scales, *covariances, *opacities, *sh, *colours;
  void* cam_from_world; /* [C,12] by the entries of [R|t] */
  void* background;     /* [C,D] */
} hs_scene_gradients;

typedef struct hs_drawn hs_drawn;

/* C pictures. Unlike hs_render(), any [R|t] will do. background [C,D], null: black. stream: of a GPU, null: its default
 * one. kept: null, or where what the backward pass needs goes; then the scene's arrays and the background must stay as
 * they are until hs_drawn_free(), which comes before hs_device_close(). */
HS_API hs_status hs_rasterize(hs_device* device, const hs_scene* scene, const hs_camera* cameras, int32_t camera_count,
                              const void* background, const hs_raster_settings* settings, const hs_pictures* pictures,
                              void* stream, hs_drawn** kept);
/* The backward pass, in two halves, each once and in this order. Through blending: */
HS_API hs_status hs_rasterize_backward_pictures(hs_drawn* drawn, const hs_picture_gradients* gradients,
                                                const hs_screen_gradients* screen);
/* Through projection and colours. v_means2d [C,N,2] takes the place of what the first half found; null: as found. */
HS_API hs_status hs_rasterize_backward_scene(hs_drawn* drawn, const void* v_means2d,
                                             const hs_scene_gradients* gradients);
/* Null is nothing. Within a call, out of the functions of an hs_allocator (where a collector of garbage may run), it is
 * done at the end of that call. */
HS_API void hs_drawn_free(hs_drawn* drawn);

/* ---- triangles: a mesh rasterised with gradients, as nvdiffrast does it, and as Hunyuan3D's custom_rasterizer does
 *
 * In float. With a GPU's device all arrays are in its memory, but for `differentiated`, and its work goes to the
 * stream; a call waits once, for the stream's work before and the check of the corners. What a pixel sees and its z/w
 * are the host's, all else but for rounding; gradients are summed in any order. Other devices, and none, compute on the
 * host; threads: 0: one a core, with the same bytes for any number. B pictures, T triangles, V vertices, A attributes.
 * Clip space: (x, y, z, w), x/w from -1 at the left to 1 at the right, y/w from -1 in row 0. Triangles are seen from
 * either side; one with a corner that is not finite is not drawn. A corner that is no vertex is an HS_ERROR_ARGUMENT;
 * what a picture says of triangles that are not there reads as no triangle. Sides are at most 65535 px, T is less than
 * 2^24. Arrays of no elements may be null. */

typedef struct hs_triangles {
  size_t struct_size;
  uint64_t count;         /* T */
  uint64_t vertices;      /* V */
  const int32_t* corners; /* [T,3] from 0 */
  hs_device* device;      /* whose memory the arrays are in; null: the host's */
  void* stream;           /* of a GPU; null: its default one */
} hs_triangles;

typedef struct hs_triangle_scene {
  size_t struct_size;
  const float* positions;          /* [B,V,4] clip space; [V,4] with ranges */
  const int32_t* ranges;           /* [B,2] first triangle of a picture and how many; null: all in each */
  int32_t pictures, width, height; /* B, W, H */
  int32_t threads;
} hs_triangle_scene;

/* rast [B,H,W,4]: u, v, z/w and the triangle's number from 1; 0, 0, 0, 0 where there is none. u and v are the shares of
 * the first two corners, with perspective. rast_db [B,H,W,4]: du/dX, du/dY, dv/dX, dv/dY by px; null: not wanted. Seen
 * is what has w > 0 and -1 <= z/w <= 1, cut there; of equally near triangles the first. Cost: some ms for 10 000
 * triangles that fill 1024x1024 px. */
HS_API hs_status hs_triangles_rasterize(const hs_triangles* triangles, const hs_triangle_scene* scene, float* rast,
                                        float* rast_db);
/* v_positions, as positions, overwritten: through u, v and their derivatives; z/w, and which triangle a pixel sees,
 * count as fixed. rast is what came of the same scene; v_rast [B,H,W,4]; v_rast_db [B,H,W,4], null: 0. */
HS_API hs_status hs_triangles_rasterize_backward(const hs_triangles* triangles, const hs_triangle_scene* scene,
                                                 const float* rast, const float* v_rast, const float* v_rast_db,
                                                 float* v_positions);

typedef struct hs_triangle_attributes {
  size_t struct_size;
  const float* values;             /* [V,A]; [B,V,A] with by_picture */
  const float* rast;               /* [B,H,W,4] */
  const float* rast_db;            /* [B,H,W,4]; null: no derivatives by px, and D is 0 */
  const int32_t* differentiated;   /* [D] attributes, from 0, that derivatives are wanted of; the host's */
  int32_t differentiated_count;    /* D */
  int32_t channels;                /* A */
  int32_t by_picture;              /* 1: every picture has values of its own */
  int32_t pictures, width, height; /* B, W, H */
  int32_t threads;
  int32_t unused;
} hs_triangle_attributes;

/* What a pixel sees of the corners' values: out [B,H,W,A], 0 where there is no triangle. out_da [B,H,W,D,2]:
 * derivatives by X and Y. */
HS_API hs_status hs_triangles_interpolate(const hs_triangles* triangles, const hs_triangle_attributes* attributes,
                                          float* out, float* out_da);

/* Outputs, overwritten; null: not wanted. */
typedef struct hs_triangle_gradients {
  size_t struct_size;
  float* values;  /* as hs_triangle_attributes::values; summed over the pictures without by_picture */
  float* rast;    /* [B,H,W,4] by u and v; the last two are 0 */
  float* rast_db; /* [B,H,W,4] */
} hs_triangle_gradients;
/* v_out [B,H,W,A]; v_out_da [B,H,W,D,2], null: 0. */
HS_API hs_status hs_triangles_interpolate_backward(const hs_triangles* triangles,
                                                   const hs_triangle_attributes* attributes, const float* v_out,
                                                   const float* v_out_da, const hs_triangle_gradients* gradients);

typedef struct hs_face_scene {
  size_t struct_size;
  const float* positions;     /* [V,4] clip space */
  const float* depth_prior;   /* [H,W] z/w: what is nearer than this and the truncation is not seen; null: none */
  float occlusion_truncation; /* of depth z/w 0.49999 + 0.5 */
  int32_t width, height;
  int32_t threads;
} hs_face_scene;

/* With Hunyuan3D's habits: the centres of the first and the last column lie at x/w = -1 and 1, rows likewise; nothing
 * is cut at w = 0; depth counts in steps of 2^-18, and of triangles in the same step the first is seen. face_numbers
 * [H,W] from 1, 0: none; shares [H,W,3] of the corners, with perspective. */
HS_API hs_status hs_triangles_rasterize_faces(const hs_triangles* triangles, const hs_face_scene* scene,
                                              int32_t* face_numbers, float* shares);

typedef struct hs_face_values {
  size_t struct_size;
  const float* values;         /* [V,A] */
  const int32_t* face_numbers; /* [pixels] */
  const float* shares;         /* [pixels,3] */
  uint64_t pixels;
  int32_t channels; /* A */
  int32_t threads;
} hs_face_values;

/* out [pixels,A]: the sum of the corners' values by their shares; 0 where there is no face. */
HS_API hs_status hs_triangles_interpolate_faces(const hs_triangles* triangles, const hs_face_values* values,
                                                float* out);

/* ---- points */

/* Mean of the squared distances from every point to its k nearest others: points [count,3], finite; result [count].
 * What splats are started with (k = 3, as simple-knn). Fewer than k others: over those; a single point: 0. Exact;
 * O(count log count); the same for any number of threads (0: one a core). k is 1 to 1024. */
HS_API hs_status hs_knn_mean_squared_distances(const float* points, uint64_t count, int32_t k, int32_t threads,
                                               float* result);

#ifdef __cplusplus
}
#endif
#endif
