/* render FILE PICTURE.ppm: draws a splat file from in front of it. cc render.c $(pkg-config --cflags --libs hipsplat)
 * -lm */
#include <hipsplat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWidth = 640, kHeight = 480 };

static int fail(void) {
  fprintf(stderr, "error: %s\n", hs_error());
  return 1;
}

/* Looks along +z at the mean of all splats, from four times their spread away. */
static hs_camera camera_for(const hs_splats* splats) {
  hs_camera camera = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, kWidth, kWidth, kWidth / 2.0, kHeight / 2.0};
  double mean[3] = {0, 0, 0}, spread = 0;
  for (uint64_t i = 0; i < 3 * splats->count; ++i) mean[i % 3] += splats->means[i] / (double)splats->count;
  for (uint64_t i = 0; i < 3 * splats->count; ++i)
    spread += pow(splats->means[i] - mean[i % 3], 2) / (double)splats->count;
  for (int axis = 0; axis < 3; ++axis) camera.cam_from_world[4 * axis + 3] = -mean[axis];
  camera.cam_from_world[11] += 4 * sqrt(spread) + 0.1;
  return camera;
}

static int write_ppm(const char* path, const float* rgb) {
  FILE* file = fopen(path, "wb");
  if (!file) return 1;
  fprintf(file, "P6\n%d %d\n255\n", kWidth, kHeight);
  for (int i = 0; i < 3 * kWidth * kHeight; ++i) {
    const float value = rgb[i] < 0 ? 0 : rgb[i] > 1 ? 1 : rgb[i];
    fputc((int)(255 * value + 0.5f), file);
  }
  return fclose(file);
}

int main(int count, char** words) {
  if (count != 3) {
    fprintf(stderr, "usage: %s FILE PICTURE.ppm\n", words[0]);
    return 2;
  }
  hs_file* file = NULL;
  hs_splats splats = {.struct_size = sizeof splats};
  if (hs_load(words[1], &file) || hs_file_splats(file, &splats)) return fail();

  hs_device* device = NULL;
  hs_device_info info = {.struct_size = sizeof info};
  if (hs_device_open(NULL, &device) || hs_device_describe(device, &info)) return fail();
  printf("%llu splats, drawn by %s (%s)\n", (unsigned long long)splats.count, info.name, info.proof);

  hs_render_settings settings;
  hs_render_defaults(&settings);
  settings.width = kWidth;
  settings.height = kHeight;
  const hs_camera camera = camera_for(&splats);
  float* rgb = malloc(sizeof(float) * 3 * kWidth * kHeight);
  if (!rgb || hs_render(device, &splats, &camera, 1, &settings, rgb, NULL, NULL)) return fail();
  if (write_ppm(words[2], rgb)) {
    fprintf(stderr, "error: '%s' cannot be written\n", words[2]);
    return 1;
  }
  free(rgb);
  hs_device_close(device);
  hs_file_free(file);
  return 0;
}
