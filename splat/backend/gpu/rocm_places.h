// Where ROCm may be: the one list of plugins (plugin_files.h), of --doctor and of CMake (hip.cmake), which reads
// the lines in quotes here. The first comes first; "$NAME" at the beginning is a variable, and a place whose variable
// is not set is none; "*" stands for any text within one name, the highest version first. Sources: AMD's transition
// guide of ROCm 10 (/opt/rocm/core-10.0), its older packages (/opt/rocm-7.2.0), and its Python packages (_rocm_sdk_core
// has the runtime, _rocm_sdk_devel hipcc and rocPRIM).
#pragma once

namespace splat {

inline constexpr const char* kRocmPlaces[] = {
    "$ROCM_PATH",
    "$ROCM_HOME",
    "$HIP_PATH",
    "/opt/rocm",
    "/opt/rocm/core",
    "/opt/rocm/core-*",
    "/opt/rocm-*",
    "$VIRTUAL_ENV/lib/python3*/site-packages/_rocm_sdk_*",
    "$CONDA_PREFIX/lib/python3*/site-packages/_rocm_sdk_*",
    "$HOME/.local/lib/python3*/site-packages/_rocm_sdk_*",
    "/usr/local/lib/python3*/*-packages/_rocm_sdk_*",
};

}  // namespace splat
