# Leaves out what begins with a kernel *_bwd_kernel: those two need scratch memory.
/^template <typename scalar_t>$/ { held = $0; next }
held != "" && /^__global__ void [a-z0-9_]*_bwd_kernel\($/ { print "}  // namespace gsplat"; exit }
held != "" { print held; held = "" }
{ print }
