// make_town FOLDER [CAMERAS [WIDTHxHEIGHT]] [--dusk [--east]] [--offset X,Y,Z]: the town as a dataset.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/quality/town/town.h"

int main(int count, char** words) {
  town::Options options;
  const char* folder = nullptr;
  int plain = 0;
  for (int i = 1; i < count; ++i) {
    double* o = options.offset.data();
    if (std::strcmp(words[i], "--dusk") == 0)
      options.dusk = true;
    else if (std::strcmp(words[i], "--east") == 0)
      options.dusk_in_the_east = true;
    else if (std::strcmp(words[i], "--offset") == 0 && i + 1 < count)
      plain = std::sscanf(words[++i], "%lf,%lf,%lf", o, o + 1, o + 2) == 3 ? plain : 9;
    else if (++plain == 1)
      folder = words[i];
    else if (plain == 2)
      options.cameras = std::atoi(words[i]);
    else if (plain == 3 && std::sscanf(words[i], "%dx%d", &options.width, &options.height) != 2)
      plain = 9;
  }
  if (!folder || plain > 3 || options.cameras < 2 || options.width < 16 || options.height < 16) {
    std::fprintf(stderr, "make_town FOLDER [CAMERAS [WIDTHxHEIGHT]] [--dusk [--east]] [--offset X,Y,Z]\n");
    return 2;
  }
  const splat::Status status = town::write_town(folder, options);
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return status ? 0 : 1;
}
