# Shared by ./quickstart and ./check; sourced, never run by itself. Debian 12 and 13, Ubuntu 22.04 and 24.04 have
# all of these packages by these names; those for AMD GPUs are not in Ubuntu 22.04.

build_packages=(
  g++ cmake ninja-build
  libhwy-dev libnanoflann-dev libturbojpeg0-dev libstb-dev libwebp-dev liblcms2-dev libheif-dev zlib1g-dev libzip-dev
  libzstd-dev
  libsqlite3-dev nlohmann-json3-dev libcli11-dev libfmt-dev libmeshoptimizer-dev libcpp-httplib-dev
  ca-certificates libglfw3-dev libgl-dev libglib2.0-dev libfontconfig-dev python3-venv fonts-dejavu-core
  fonts-inter
)
pack_packages=(dpkg-dev file zstd)  # what cpack calls
align_packages=(colmap ffmpeg)  # to find the cameras of photos and videos; used when they are there
test_packages=(libgtest-dev libbenchmark-dev clang-format clang-tidy git xvfb xdotool libgl1-mesa-dri dbus
  fonts-droid-fallback mandoc desktop-file-utils appstream shared-mime-info lintian "${pack_packages[@]}"
  "${align_packages[@]}")
arm64_packages=(g++-aarch64-linux-gnu)  # to compile, not to run
windows_packages=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev)  # likewise; programs run where wine is installed
hip_packages=(hipcc librocprim-dev libamdhip64-dev)  # the plugin for AMD GPUs; where they are to be had

build_jobs() { nproc 2>/dev/null || echo 2; }

# install_packages NAME...: through apt, and only what is not there yet.
install_packages() {
  local missing=() package
  if ! command -v dpkg-query >/dev/null; then
    echo "Not a Debian or Ubuntu system: please install the equivalents of: $*" >&2
    return 0
  fi
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local root=()
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null; then
      echo "error: please have an administrator run: apt install ${missing[*]}" >&2
      return 1
    fi
    root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  "${root[@]}" apt-get update -qq </dev/null ||
    echo "warning: not every package list could be renewed; going on with those that are there" >&2
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    </dev/null >/dev/null
}

# try_packages NAME...: the same, but the build goes on without them.
try_packages() {
  install_packages "$@" || echo "warning: going on without $*" >&2
}

# has_model FOLDER: whether a COLMAP model is in it or at most three folders below: cameras.* and images.* side by side.
has_model() {
  local file
  while IFS= read -r -d '' file; do
    if [[ -n $(find -L "$(dirname "$file")" -maxdepth 1 \( -iname images.bin -o -iname images.txt \) -print -quit) ]]; then
      return 0
    fi
  done < <(find -L "$1" -maxdepth 4 \( -iname cameras.bin -o -iname cameras.txt \) -print0 2>/dev/null)
  return 1
}

# lacks_cameras PATH: whether it is a video or a folder of photos whose cameras have to be found first. Looks where
# io/dataset/find_cameras.h looks; whoever is in doubt lacks them, since that only installs more.
lacks_cameras() {
  local place
  if [[ -f $1 ]]; then [[ $1 != *.json ]] && return 0 || return 1; fi
  for place in "$1" "$1/.."; do
    if [[ $place == */.. && $(basename "$(realpath "$1")") != [Ii][Mm][Aa][Gg][Ee]* ]]; then continue; fi
    if has_model "$place"; then return 1; fi
    if [[ -n $(find -L "$place" -maxdepth 4 \( -iname transforms.json -o -iname transforms_train.json \) -print -quit \
      2>/dev/null) ]]; then return 1; fi
  done
  ! grep -lqs '"transform_matrix"' "$1"/*.json
}

# gpu_options: plugins only for the GPUs that are here; compiling for all takes minutes.
gpu_options() {
  if [[ -e /dev/kfd ]]; then echo -DHIPSPLAT_HIP_TARGETS=native; else echo -DHIPSPLAT_HIP=OFF; fi
  [[ -e /dev/nvidiactl ]] || echo -DHIPSPLAT_CUDA=OFF
}

# build_hipsplat SOURCE BUILD CMAKE_OPTION...: configures (quick when nothing changed) and builds what is new of
# build_targets.
build_targets=(all)
build_hipsplat() {
  local source=$1 build=$2
  shift 2
  local launcher=()
  if command -v ccache >/dev/null; then  # by paths from SOURCE on: every clone finds what another one has compiled
    launcher=("-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_BASEDIR=$source;CCACHE_NOHASHDIR=1;ccache")
  fi
  local generator=()
  if [[ ! -e $build/CMakeCache.txt ]]; then generator=(-G Ninja); fi
  echo "Building hipsplat in $build"
  cmake -S "$source" -B "$build" "${generator[@]}" "${launcher[@]}" "$@" >"$build.log" 2>&1 || {
    cat "$build.log" >&2
    return 1
  }
  rm -f "$build.log"
  cmake --build "$build" --parallel "$(build_jobs)" --target "${build_targets[@]}"
}

# clang_tool SOURCE NAME: where clang-format or clang-tidy 14 is. Other versions format and find differently, so that where
# this one is not installed it comes from PyPI, into the build folder.
clang_tool() {
  local venv=$1/build-check/clang-tools name=$2 program
  for program in "$name" "$name-14" "$venv/bin/$name"; do
    if command -v "$program" >/dev/null && "$program" --version | grep -q 'version 14\.'; then echo "$program" && return; fi
  done
  echo "Installing $name 14 in $venv" >&2
  python3 -m venv "$venv" && "$venv/bin/python" -m pip install -q --disable-pip-version-check "$name==14.0.6" >&2 ||
    { echo "error: $name 14 is not installed and PyPI did not give it" >&2 && return 1; }
  echo "$venv/bin/$name"
}

# check_formatting SOURCE: fails when clang-format 14 would change a tracked source.
check_formatting() {
  local source=$1 format
  if ! git -C "$source" rev-parse --git-dir >/dev/null 2>&1; then
    echo "warning: formatting not checked: '$source' is no git checkout" >&2
    return 0
  fi
  format=$(clang_tool "$source" clang-format) || return 1
  (cd "$source" && git ls-files -z '*.h' '*.cpp' '*.hip' | xargs -0 -r "$format" --dry-run --Werror)
}
