/* hipsplat.h: 3D Gaussian splats for other programs: files, pictures, points, training and other jobs. It is plain C99,
 * and works from C++ and ctypes as well.
 *
 * Link with -lhipsplat (pkg-config hipsplat). In CMake use find_package(hipsplat) and the target hipsplat::hipsplat.
 *
 * Errors      Every call that can fail returns an hs_status. If the call succeeded it is HS_OK (0); otherwise
 *             hs_error() returns one sentence about the failure. No call aborts, throws, or writes to stdout or
 *             stderr. After an error the outputs are undefined, and handles are as before the call.
 * Structs     Structs but hs_camera begin with `size_t struct_size`. The caller sets it to sizeof(the struct), so
 *             that later versions can add fields at the end. A struct that is smaller, or that has nonzero fields of
 *             a later version, is an HS_ERROR_ARGUMENT. Zeroed fields of options mean the default that is stated
 *             here. Settings with numbers for which 0 has a meaning are initialised by their hs_..._defaults().
 * Arrays      Arrays are contiguous and in the memory of the host. They belong to the caller unless another owner is
 *             named. Shapes are in brackets, and the last index runs fastest. N is the number of splats, C the number
 *             of cameras, H and W are pixels, and K = (sh_degree + 1)^2.
 * Strings     Strings are UTF-8 and end in a zero byte.
 * Units       World units are those of the file, in any frame. Cameras look along +z, with x to the right and y down.
 *             In pixels the centre of the top-left pixel lies at (0.5, 0.5). Quaternions are wxyz. Colours are 0 to 1,
 *             as displays take them (sRGB).
 * Threads     Any thread may call. Calls on one hs_device wait for each other; different devices run side by side.
 *             hs_file_free() must be the last call on its hs_file. After fork() the child must not use a device of the
 *             parent.
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
  HS_ERROR_ARGUMENT = 1,    /* The caller passed something wrong: a null, a size, a number out of range. */
  HS_ERROR_FILE = 2,        /* A file is missing, broken or of no known format, or the disk is full. */
  HS_ERROR_DEVICE = 3,      /* There is no such device here, or it failed. */
  HS_ERROR_MEMORY = 4,      /* There is not enough memory on the host or the device. */
  HS_ERROR_UNSUPPORTED = 5, /* The call is allowed, but not (yet) possible with this device or version. */
  HS_ERROR_INTERNAL = 6,    /* This is a bug of hipsplat: please report the sentence. */
  HS_ERROR_JOB = 7,         /* A job failed while it ran. The sentence says why, and what is left of it. */
  HS_CANCELLED = 8          /* A job was cancelled. The sentence says what is left of it. */
} hs_status;

/* Returns the version of the library in use, such as "0.1.0". HS_VERSION_... are those of this header. */
HS_API const char* hs_version(void);
/* Returns one sentence about this thread's last failure, without an end mark. The string is valid until the thread's
 * next failure. It is "" before the first one. */
HS_API const char* hs_error(void);

/* ---- devices: what draws */

typedef struct hs_device_info {
  size_t struct_size;
  char backend[16]; /* "cpu"; "hip" (AMD); "cuda" (NVIDIA); "reference" (slow, in double precision, to compare with) */
  int32_t index;    /* The number among the devices of the backend, from 0. It is -1 if the backend has none here. */
  int32_t usable;   /* 1: yes */
  char name[128];   /* The device's name, such as "AMD Radeon RX 7900 XTX". */
  /* In a list: why the device is usable or not. For an open device: why this one was taken. */
  char reason[512];
  uint64_t memory_bytes; /* The size of the device's own memory. It is 0 if the device works in the host's. */
  char proof[128];       /* For an open device: how its test picture compares with the reference's. */
} hs_device_info;

/* Lists all devices that are known, usable or not. The reference is not among them. Writes at most `room` of them, and
 * stores how many there are where `count` is not null. infos may be null if room is 0; the struct_size of the first one
 * counts for all. The first call costs the start of the GPUs' runtimes. */
HS_API hs_status hs_device_list(hs_device_info* infos, int32_t room, int32_t* count);

typedef struct hs_device hs_device;

typedef struct hs_device_options {
  size_t struct_size;
  /* The name as in hs_device_info. Null or "auto" takes the working GPU with the most memory, else the CPU. */
  const char* backend;
  int32_t index;   /* The number among the backend's devices, from 0. -1 takes the best. "auto" ignores it. */
  int32_t threads; /* The number of host threads. 0 means one per core. */
} hs_device_options;

/* Opens a device. options may be null, which means the defaults. If a backend is named and does not work, the call
 * returns HS_ERROR_DEVICE and never falls back silently. Every device draws a test picture first. It is refused if the
 * picture differs from the reference's. */
HS_API hs_status hs_device_open(const hs_device_options* options, hs_device** device);
/* Describes an open device. */
HS_API hs_status hs_device_describe(hs_device* device, hs_device_info* info);
/* Closes a device; null does nothing. No other call may be running on the device. */
HS_API void hs_device_close(hs_device* device);

/* ---- splats in arrays */

typedef struct hs_splats {
  size_t struct_size;
  uint64_t count;    /* N */
  int32_t sh_degree; /* 0 to 3 */
  /* 1: the splats were trained with the low pass's opacity compensation, and are to be drawn with it. */
  int32_t antialiased;
  const float* means;           /* [N,3] */
  const float* quats;           /* [N,4] Rotations as wxyz, of any length > 0. */
  const float* log_scales;      /* [N,3] The natural logarithms of one standard deviation. */
  const float* logit_opacities; /* [N] ln(o / (1 - o)) of the opacity o. */
  const float* sh;              /* [N,K,3] colour = 0.5 + sum over k of Y_k(direction) sh_k, in INRIA's basis. */
  double up[3];                 /* The vertical axis. Zeros mean that it is not known. */
  double origin[3];             /* position + origin = coordinates in the reference system `epsg`. */
  double metres_per_unit;       /* 0: not known */
  int32_t epsg;                 /* 0: not known */
  int32_t flat;                 /* 1: these are 2D Gaussians, whose third axis means nothing. */
  /* A nonzero number promises that the arrays are the ones, unchanged, that came under this number before. A device
   * that has drawn them does not copy them again. hs_file_splats() sets it. For arrays of your own leave it 0 or keep
   * that promise. */
  uint64_t identity;
  /* The low pass that the splats are drawn with, in px^2. 0 means 0.3, as usual; a negative number means none, as for
   * those of SHARP. */
  double low_pass;
} hs_splats;

/* ---- files: PLY, compressed PLY, .splat, SPZ, SOG, glTF; KSPLAT is read only */

typedef struct hs_file hs_file;

typedef struct hs_file_info {
  size_t struct_size;
  const char* format;   /* The format, such as "PLY (binary, little-endian)". */
  const char* producer; /* "" if the file does not say it. */
  const char* warnings; /* One line each: oddities, and what was not read. "" if there are none. */
  /* The number of splats with a NaN or a rotation of length 0. They stay in the arrays, but are not drawn. */
  uint64_t invalid_rows;
} hs_file_info;

/* Reads a whole file, and recognises the format by its content. A SOG may be a folder. */
HS_API hs_status hs_load(const char* path, hs_file** file);
/* Gives the splats of a file. The pointers are valid until hs_file_free(). */
HS_API hs_status hs_file_splats(hs_file* file, hs_splats* splats);
/* Describes a file. */
HS_API hs_status hs_file_describe(hs_file* file, hs_file_info* info);
/* Frees a file; null does nothing. */
HS_API void hs_file_free(hs_file* file);

typedef struct hs_save_options {
  size_t struct_size;
  int32_t spz_version; /* The version of .spz: 4, or 3, which more programs read. 0 means 4. */
  int32_t threads;     /* 0 means one per core. */
} hs_save_options;

typedef struct hs_save_report {
  size_t struct_size;
  uint64_t written;  /* The number of splats that were written. */
  uint64_t dropped;  /* The number of splats that were left out, because they are not finite. */
  uint64_t adjusted; /* The number of splats with a value that was made finite. */
  int32_t sh_degree; /* The degree that the file has. */
  int32_t unused;
  char losses[512]; /* One line each: what the format does not keep. "" if there is nothing. */
} hs_save_report;

/* Writes splats in the format that the end of the path names: .ply, .compressed.ply, .splat, .spz, .sog, .glb. The file
 * appears whole or not at all. options and report may be null. Every format but PLY is made from a copy of the
 * arrays. */
HS_API hs_status hs_save(const char* path, const hs_splats* splats, const hs_save_options* options,
                         hs_save_report* report);

/* ---- pictures of splats as files hold them */

/* A pinhole camera: x = fx X / Z + cx. */
typedef struct hs_camera {
  double cam_from_world[12]; /* The rows of [R|t]; R is a rotation. */
  double fx, fy, cx, cy;     /* px */
} hs_camera;

typedef struct hs_render_settings {
  size_t struct_size;
  int32_t width, height; /* px, 1 to 16384 */
  int32_t max_sh_degree; /* The highest degree of the colours; 3 means all. */
  int32_t antialias;     /* The opacity compensation of the low pass. 1 yes, 0 no, -1 as hs_splats says. */
  float background[3];
  float low_pass; /* Added to the variances on the screen, in px^2. -1 means as hs_splats says. */
} hs_render_settings;

/* Sets the defaults, struct_size included: max_sh_degree 3, antialias -1, background 0, low_pass -1. Set width and
 * height yourself. */
HS_API void hs_render_defaults(hs_render_settings* settings);

/* Draws C pictures of all splats. rgb [C,H,W,3] is not clamped; alpha is [C,H,W]. depth [C,H,W] is in world units along
 * the camera's axis: the mean by blending weights, and 0 where nothing is drawn. Any of them may be null if it is not
 * wanted. The cost is the upload of new splats, once (see identity), and then what a picture costs. */
HS_API hs_status hs_render(hs_device* device, const hs_splats* splats, const hs_camera* cameras, int32_t camera_count,
                           const hs_render_settings* settings, float* rgb, float* alpha, float* depth);

/* ---- rasterisation, forward and backward: for training loops of your own
 *
 * Splats, pictures and gradients lie in arrays of the caller. These are in the memory of the device that draws (the
 * host's for cpu and reference) and have the scene's type: `void *` below is float * or double *. In double the
 * reference computes everything, which is slow. D is the number of channels (0 to 32). Nothing is owned or stepped
 * here. Whatever is not drawn has zeros everywhere. A GPU draws HS_FLOAT32. Its work goes to the stream of the call
 * (hipStream_t, cudaStream_t), and the call waits once for each camera. */

typedef enum hs_type { HS_FLOAT32 = 0, HS_FLOAT64 = 1 } hs_type;

typedef struct hs_scene {
  size_t struct_size;
  uint64_t count;            /* N */
  int32_t type;              /* The hs_type of all arrays of a call. */
  int32_t channels;          /* D. It is 3 with sh. */
  int32_t sh_coefficients;   /* The K of sh. */
  int32_t sh_degree;         /* The degree used of sh, 0 to 3: (sh_degree + 1)^2 <= K. */
  int32_t colours_by_camera; /* 1: colours is [C,N,D]. */
  int32_t unused;
  const void* means;       /* [N,3] */
  const void* quats;       /* [N,4] Rotations as wxyz of any length; see raw_quats. */
  const void* scales;      /* [N,3] One standard deviation. */
  const void* covariances; /* [N,6] The entries xx xy xz yy yz zz. They take the place of quats and scales. */
  const void* opacities;   /* [N] 0 to 1 */
  const void* sh;          /* [N,K,3] Set either sh or colours. */
  const void* colours;     /* [N,D] */
} hs_scene;

/* det0 and det1 are the determinants of the 2D covariance before and after the low pass. */
typedef enum hs_compensation {
  HS_COMPENSATION_NONE = 0,
  HS_COMPENSATION_GSPLAT = 1, /* The opacity is multiplied by sqrt(max(0, det0 / det1)). */
  /* The factor is sqrt(max(1e-6, det0) / (max(1e-6, det1) + 1e-6) + 1e-6). It is 0 where one is at most 1e-6. */
  HS_COMPENSATION_MIP = 2,
  HS_COMPENSATION_INRIA = 3 /* The factor is sqrt(max(2.5e-5, det0 / det1)). */
} hs_compensation;
/* w is the blending weight of a splat at a pixel, and z is its depth. */
typedef enum hs_depth {
  HS_DEPTH_NONE = 0,
  HS_DEPTH_SUM = 1,      /* The sum of w z. */
  HS_DEPTH_EXPECTED = 2, /* The sum of w z, divided by max(alpha, 1e-10). */
  HS_DEPTH_INVERSE = 3   /* The sum of w / z. */
} hs_depth;
typedef enum hs_jacobian_clamp {
  HS_CLAMP_GSPLAT = 0, /* The clamp is at 0.15 of the size beyond the border. */
  HS_CLAMP_INRIA = 1   /* The clamp is at 1.3 tan(fov / 2) from the axis. */
} hs_jacobian_clamp;
typedef enum hs_footprint {
  HS_FOOTPRINT_EXACT = 0, /* A splat is drawn wherever its alpha is at least 1/255. */
  /* The same, but only within INRIA's radius, in tiles of 16 x 16 px. */
  HS_FOOTPRINT_THREE_SIGMA = 1
} hs_footprint;

/* The source of a call's scratch memory. Scratch is what the call needs beyond its outputs, in the memory of the
 * device, and also what `kept` holds. It is for programs whose own allocator has to know of that memory, as torch's.
 * Both functions run on the thread that calls hipsplat, within the call. They must return, and not leave the call in
 * any other way. The only function of hipsplat that they may call is hs_drawn_free(). */
typedef struct hs_allocator {
  size_t struct_size;
  void* user; /* Passed to both functions. */
  /* Called some tens of times for each camera. Returns memory for the work of `stream`, at a multiple of 64. Null means
   * that there is none, and the call becomes an HS_ERROR_MEMORY. */
  void* (*allocate)(void* user, size_t bytes, void* stream);
  /* Called once for every address. It comes before hs_rasterize() returns where nothing is kept or after an error;
   * otherwise it comes by hs_drawn_free() at the latest. Work that went to the stream before may still use the memory.
   * Later work on that stream may have the memory at once; anything else may have it when the stream has come so
   * far. */
  void (*free)(void* user, void* memory);
} hs_allocator;

typedef struct hs_raster_settings {
  size_t struct_size;
  int32_t width, height;
  double low_pass;              /* px^2. Default: 0.3. */
  double near_plane, far_plane; /* Drawn where near <= z <= far. Default: 0.01, 1e10 (INRIA: 0.2). */
  double radius_clip;           /* px. Splats whose radii are at most this are not drawn. Default: 0. */
  double scale_modifier;        /* The factor of scales. Default: 1. */
  double alpha_max;             /* Default: 0.99 (gsplat: 0.999). */
  double transmittance_stop;    /* Default: 1e-4. */
  int32_t compensation, depth, jacobian_clamp, footprint; /* Values of the enums above. Default: 0 each. */
  int32_t raw_quats;      /* 1: the rotation's formula takes the quaternion as it is (INRIA). 0: the normalised one. */
  int32_t channels_first; /* 1: colour is [C,D,H,W]; 0: [C,H,W,D] */
  int32_t clamp_sh;       /* 1: colours from sh are max(0, 1/2 + sum). 0: without the maximum. Default: 1. */
  int32_t unused;
  /* Null means the device's own memory, kept for later calls until hs_device_close(). The struct is copied; what its
   * functions need must stay until hs_drawn_free(). It is for HS_FLOAT32 on cpu and GPUs. Some KB per thread and camera
   * do not come from it. */
  const hs_allocator* scratch;
} hs_raster_settings;

/* Sets the defaults that are named above, and struct_size. Set width and height yourself. */
HS_API void hs_raster_defaults(hs_raster_settings* settings);

/* These are outputs. Null means that one is not wanted. */
typedef struct hs_pictures {
  size_t struct_size;
  void* colour;        /* The background is included. */
  void* alpha;         /* [C,H,W] */
  void* depth;         /* [C,H,W] as hs_raster_settings::depth says. */
  void* means2d;       /* [C,N,2] px */
  void* depths;        /* [C,N] */
  void* conics;        /* [C,N,3] The entries xx xy yy of the inverse of the 2D covariance. */
  void* compensations; /* [C,N] */
  int32_t* radii;      /* [C,N,2] px, as gsplat's; with three sigma INRIA's, in both places. */
  int32_t* touched;    /* [C,N] The number of pixels at which more than half of the light is left behind the splat. */
} hs_pictures;

typedef struct hs_picture_gradients {
  size_t struct_size;
  const void *colour, *alpha, *depth; /* The shapes are those of hs_pictures. Null means 0. */
} hs_picture_gradients;

/* These are outputs, which are overwritten. Null means that one is not wanted. */
typedef struct hs_screen_gradients {
  size_t struct_size;
  void* means2d;     /* [C,N,2] 1/px */
  void* means2d_abs; /* [C,N,2] The sums over pixels of absolute values. */
} hs_screen_gradients;
/* These are outputs, which are overwritten and summed over the cameras. Null means that one is not wanted. The shapes
 * are those of hs_scene. */
typedef struct hs_scene_gradients {
  size_t struct_size;
  void *means, *quats, *scales, *covariances, *opacities, *sh, *colours;
  void* cam_from_world; /* [C,12] by the entries of [R|t] */
  void* background;     /* [C,D] */
} hs_scene_gradients;

typedef struct hs_drawn hs_drawn;

/* Draws C pictures. Unlike for hs_render(), any [R|t] will do. background is [C,D]; null means black. stream is a
 * GPU's; null means its default one. kept may be null; otherwise it receives what the backward pass needs. In that case
 * the scene's arrays and the background must stay as they are until hs_drawn_free(), which comes before
 * hs_device_close(). */
HS_API hs_status hs_rasterize(hs_device* device, const hs_scene* scene, const hs_camera* cameras, int32_t camera_count,
                              const void* background, const hs_raster_settings* settings, const hs_pictures* pictures,
                              void* stream, hs_drawn** kept);
/* The backward pass has two halves. Call each once, in this order. This is the first, through blending. */
HS_API hs_status hs_rasterize_backward_pictures(hs_drawn* drawn, const hs_picture_gradients* gradients,
                                                const hs_screen_gradients* screen);
/* This is the second half, through projection and colours. v_means2d [C,N,2] takes the place of what the first half
 * found. Null means that its result is used. */
HS_API hs_status hs_rasterize_backward_scene(hs_drawn* drawn, const void* v_means2d,
                                             const hs_scene_gradients* gradients);
/* Frees what was kept; null does nothing. If a function of an hs_allocator calls it within a call (where a garbage
 * collector may run), it is done at the end of that call. */
HS_API void hs_drawn_free(hs_drawn* drawn);

/* ---- triangles: a mesh rasterised with gradients, as nvdiffrast does it, and as Hunyuan3D's custom_rasterizer does
 *
 * All is computed in float. With a GPU's device all arrays but `differentiated` are in its memory, and its work goes to
 * the stream. A call waits once, for the stream's work before it and for the check of the corners. Which triangle a
 * pixel sees, and its z/w, are the same as on the host. All else agrees but for rounding, and gradients are summed in
 * any order. Other devices, and no device, compute on the host. threads 0 means one per core, and the bytes are the
 * same for any number.
 *
 * B is the number of pictures, T of triangles, V of vertices and A of attributes. Clip space is (x, y, z, w). x/w goes
 * from -1 at the left to 1 at the right, and y/w is -1 in row 0. Triangles are seen from either side. A triangle with a
 * corner that is not finite is not drawn. A corner that is no vertex is an HS_ERROR_ARGUMENT. Where a picture names a
 * triangle that is not there, it reads as no triangle. Sides are at most 65535 px, and T is less than 2^24. Arrays
 * without elements may be null. */

typedef struct hs_triangles {
  size_t struct_size;
  uint64_t count;         /* T */
  uint64_t vertices;      /* V */
  const int32_t* corners; /* [T,3] from 0 */
  hs_device* device;      /* The device whose memory the arrays are in. Null means the host's. */
  void* stream;           /* A GPU's stream. Null means its default one. */
} hs_triangles;

typedef struct hs_triangle_scene {
  size_t struct_size;
  const float* positions;          /* [B,V,4] in clip space; [V,4] with ranges. */
  const int32_t* ranges;           /* [B,2] A picture's first triangle and how many. Null means all in each. */
  int32_t pictures, width, height; /* B, W, H */
  int32_t threads;
} hs_triangle_scene;

/* Writes rast [B,H,W,4]: u, v, z/w and the triangle's number from 1; all four are 0 where there is none. u and v are
 * the shares of the first two corners, with perspective. rast_db [B,H,W,4] is du/dX, du/dY, dv/dX, dv/dY by px; null
 * means that it is not wanted. Seen is what has w > 0 and -1 <= z/w <= 1, cut there; where triangles are equally near,
 * the first is seen. The cost is some ms for 10 000 triangles that fill 1024x1024 px. */
HS_API hs_status hs_triangles_rasterize(const hs_triangles* triangles, const hs_triangle_scene* scene, float* rast,
                                        float* rast_db);
/* Overwrites v_positions, which is shaped as positions. The gradients go through u, v and their derivatives. z/w, and
 * which triangle a pixel sees, count as fixed. rast must come from the same scene. v_rast is [B,H,W,4]. v_rast_db is
 * [B,H,W,4]; null means 0. */
HS_API hs_status hs_triangles_rasterize_backward(const hs_triangles* triangles, const hs_triangle_scene* scene,
                                                 const float* rast, const float* v_rast, const float* v_rast_db,
                                                 float* v_positions);

typedef struct hs_triangle_attributes {
  size_t struct_size;
  const float* values;             /* [V,A]; [B,V,A] with by_picture. */
  const float* rast;               /* [B,H,W,4] */
  const float* rast_db;            /* [B,H,W,4] Null means no derivatives by px, and D is 0. */
  const int32_t* differentiated;   /* [D] The attributes, from 0, to differentiate. It is in the host's memory. */
  int32_t differentiated_count;    /* D */
  int32_t channels;                /* A */
  int32_t by_picture;              /* 1: every picture has values of its own. */
  int32_t pictures, width, height; /* B, W, H */
  int32_t threads;
  int32_t unused;
} hs_triangle_attributes;

/* Interpolates the corners' values to the pixels. out [B,H,W,A] is what a pixel sees, and 0 where there is no triangle.
 * out_da [B,H,W,D,2] has the derivatives by X and Y. */
HS_API hs_status hs_triangles_interpolate(const hs_triangles* triangles, const hs_triangle_attributes* attributes,
                                          float* out, float* out_da);

/* These are outputs, which are overwritten. Null means that one is not wanted. */
typedef struct hs_triangle_gradients {
  size_t struct_size;
  float* values;  /* Shaped as hs_triangle_attributes::values; summed over the pictures without by_picture. */
  float* rast;    /* [B,H,W,4] by u and v; the last two are 0. */
  float* rast_db; /* [B,H,W,4] */
} hs_triangle_gradients;
/* Computes the gradients from v_out [B,H,W,A] and v_out_da [B,H,W,D,2]. A null v_out_da means 0. */
HS_API hs_status hs_triangles_interpolate_backward(const hs_triangles* triangles,
                                                   const hs_triangle_attributes* attributes, const float* v_out,
                                                   const float* v_out_da, const hs_triangle_gradients* gradients);

typedef struct hs_face_scene {
  size_t struct_size;
  const float* positions; /* [V,4] in clip space. */
  /* [H,W] z/w. What is nearer than this and the truncation is not seen. Null means that there is none. */
  const float* depth_prior;
  float occlusion_truncation; /* Counted in the depth z/w 0.49999 + 0.5. */
  int32_t width, height;
  int32_t threads;
} hs_face_scene;

/* Rasterises with Hunyuan3D's habits. The centres of the first and the last column lie at x/w = -1 and 1, and rows
 * likewise. Nothing is cut at w = 0. Depth counts in steps of 2^-18; where triangles lie in the same step, the first is
 * seen. face_numbers [H,W] counts from 1, and 0 is none. shares [H,W,3] are those of the corners, with perspective. */
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

/* Writes out [pixels,A]: the sum of the corners' values by their shares, and 0 where there is no face. */
HS_API hs_status hs_triangles_interpolate_faces(const hs_triangles* triangles, const hs_face_values* values,
                                                float* out);

/* ---- points */

/* Computes the mean of the squared distances from every point to its k nearest others. points is [count,3] and finite;
 * result is [count]. Splats are started with it (k = 3, as simple-knn). With fewer than k others the mean is over
 * those, and for a single point it is 0. The result is exact and the same for any number of threads (0 means one per
 * core). The cost is O(count log count). k is 1 to 1024. */
HS_API hs_status hs_knn_mean_squared_distances(const float* points, uint64_t count, int32_t k, int32_t threads,
                                               float* result);

/* ---- jobs: what the commands of the program hipsplat do
 *
 * A job works on files, as the command of its name does, and writes the same bytes. It is made from settings and run as
 * often as it is wanted. Several jobs may exist; they run one at a time in a process, and a call that would run a
 * second one waits. A process that was forked while a job ran can run none.
 *
 * No job prints, asks for signals or ends the process, and none leaves a thread or another program running. Aligning
 * runs COLMAP, and films run ffmpeg, as programs beside this process, which end with the job. Locks of output folders
 * are as the program's. Training resets the peak of memory that the system counts for the process (VmHWM), which its
 * record tells. */

typedef struct hs_job hs_job;

typedef struct hs_job_callbacks {
  size_t struct_size;
  void* user; /* Passed to all of them. */
  /* Any of them may be null. They are called from threads of the job, one call at a time, while hs_job_run() runs. They
   * must return, and not leave the call in any other way. The only function of hipsplat that they may call is
   * hs_job_cancel(). Texts and pictures are valid during the call. */

  /* A stage begins, and the one before it is over. */
  void (*stage)(void* user, const char* name);
  /* How many steps of the present stage are done. */
  void (*step)(void* user, uint64_t done, uint64_t total);
  /* How many photos have been read. This comes before the first stage. */
  void (*reading)(void* user, uint64_t done, uint64_t total);
  /* How far a long job is: as a JSON object, whose "type" says of what job, and as a sentence. share is the part that
   * is done, 0 to 1; it is negative if that is not known. */
  void (*progress)(void* user, const char* json, const char* sentence, double share);
  /* What the job is going to take: memory of the process at most, and seconds in all. 0 means that it is not known. It
   * is called anew whenever more is known. */
  void (*predicted)(void* user, uint64_t memory_bytes, double seconds);
  /* A result: as a JSON object, whose "type" says what it is, and as lines for people, "" where there are none. These
   * are the objects that the program prints with --json; the last one of a job that ends well is a "summary", or a
   * "film" of training. */
  void (*result)(void* user, const char* json, const char* text);
  /* A line about the input or the work. level is 0 for a note, 1 for a warning, 2 for an error. */
  void (*log)(void* user, int32_t level, const char* line);
  /* A view of the photos, drawn with the splats that a training run has at this iteration. rgb is [H,W,3], 8 bits each.
   * Drawing it takes at most a tenth of the time, and changes nothing of the result. */
  void (*preview)(void* user, const uint8_t* rgb, int32_t width, int32_t height, int32_t iteration);

  /* The least times between two calls. 0 means 0.5 s of progress and 2 s of preview; a negative number means none. */
  double progress_seconds, preview_seconds;
  int32_t preview_view; /* The number of the view that preview shows, from 0, in the order of the dataset. */
  int32_t unused;
} hs_job_callbacks;

/* Makes a job. verb is "train", "align", "render", "film", "evaluate", "mesh" or "convert". settings is a JSON object.
 * "input" is the path of what the job works on; for convert it may be a list of paths. All other names are those of the
 * options that `hipsplat VERB --help-all` lists, with dashes or underscores: {"input": "scene.ply", "output":
 * "scene.glb", "faces": 100000}. Flags are true or false, lists are arrays or texts with commas, and null counts as not
 * given. "render" draws pictures of "cameras", or a film along "path"; "film" is "render" along "path", and along an
 * orbit where none is given. Cleaning by photos is {"clean": "normal", "data": DATASET} of "convert". What is about a
 * terminal or a browser is refused: json, quiet, serve, slurm and the like.
 *
 * A name or value that is wrong is an HS_ERROR_ARGUMENT with the sentence of the command line. Contradictions between
 * settings are found here; files are opened by hs_job_run(). */
HS_API hs_status hs_job_new(const char* verb, const char* settings, hs_job** job);

/* Runs a job in the calling thread and returns when it has ended. callbacks may be null. It needs
 * the stack that threads have by default, 8 MiB; its own threads are as many as "threads" says.
 *
 * Input that cannot be used, and outputs that must not be replaced or are in use by another job, are an
 * HS_ERROR_ARGUMENT, as they are the exit code 2 of the program; nothing was written then. A backend that was named and
 * does not work is an HS_ERROR_DEVICE. Whatever fails later is an HS_ERROR_JOB, and a training run keeps its state
 * where it can. Output files are whole or not there. */
HS_API hs_status hs_job_run(hs_job* job, const hs_job_callbacks* callbacks);

/* Asks a job to end at its next safe point: within an iteration of training, a picture of a film, or a step of a mesh.
 * hs_job_run() then returns HS_CANCELLED, now and whenever the job is run again. A training run leaves a checkpoint, to
 * go on from with "resume"; films and alignments go on where they were if the same job is made anew. A job that is
 * writing its last file may end well nevertheless. Any thread may call at any time before hs_job_free(). It costs
 * nothing. */
HS_API void hs_job_cancel(hs_job* job);

/* Frees a job, which must not be running; null does nothing. */
HS_API void hs_job_free(hs_job* job);

#ifdef __cplusplus
}
#endif
#endif
