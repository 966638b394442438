// Unpacks SPZ into texels, sorts splats by depth and finds what a point of the picture shows. Twins:
// io/splats/spz/spz_codec.cpp (what the bytes mean), viewer/draw/depth_order.cpp (the order), shaders of web/.
// Texels of a splat, four words of 32 bits each, in textures of kWidth columns, row after row:
//   0: x, y, z as floats | quaternion, packed as in SPZ
//   1: opacity, red, green, blue | three log scales, first byte of the harmonics | their next 8 bytes
//   2, 3, 4: bytes 9 to 24, 25 to 40, 41 to 44 of the harmonics
// Every 64th splat comes first, then the rest of every 32nd, and so on.
function splatWorker() {
  'use strict';
  const kWidth = 2048, kMagic = 0x5053474e, kBuckets = 65536, kSigmas = 3;
  const kHarmonicBytes = [0, 9, 24, 45], kTexels = [2, 2, 3, 5];
  let centres = null;  // [N,4] x, y, z and the radius that counts
  let alphas = null;   // [N] bytes
  let depths = null;   // [N] of the last sort
  let world, near;     // what a unit of the SPZ is in the scene; nearer than this nothing is drawn
  const counts = new Uint32Array(kBuckets + 1);

  function check(right, what) {
    if (!right) throw new Error('the splats are ' + what);
  }

  // From the planes of io/splats/html/page_splats.h to rows, in place.
  function unplane(bytes, n, more) {
    const planes = bytes.slice(), before = [0, 0, 0];
    let from = 16, at = 16;
    for (const width of [9, 1, 3, 3, 4, more]) {
      for (let c = 0; c < width; ++c)
        for (let i = 0; i < n; ++i) bytes[at + width * i + c] = planes[from++];
      at += width * n;
    }
    for (let p = 16, end = p + 9 * n; p < end; p += 3) {
      const c = (p - 16) / 3 % 3, step = bytes[p] | bytes[p + 1] << 8 | bytes[p + 2] << 16;
      before[c] += step >> 1 ^ -(step & 1);
      for (let k = 0; k < 3; ++k) bytes[p + k] = before[c] >> 8 * k;
    }
    for (let p = 16 + 10 * n, end = p + 3 * n; p < end; p += 3) bytes[p] += bytes[p + 1], bytes[p + 2] += bytes[p + 1];
  }

  // Six streams, each of all splats. Stored with y up and z backward: turned by signs.
  function unpack(bytes) {
    const view = new DataView(bytes.buffer);
    check(bytes.length >= 16 && view.getUint32(0, true) === kMagic, 'damaged: their data begin wrongly');
    check(view.getUint32(4, true) === 3, 'SPZ of another version than 3');
    const n = view.getUint32(8, true), degree = bytes[12], unit = world * 2 ** -bytes[13];
    check(degree <= 3, 'of harmonics of degree ' + degree);
    const more = kHarmonicBytes[degree];
    check(bytes.length >= 16 + n * (20 + more), 'damaged: their data end early');
    if (bytes[15]) unplane(bytes, n, more);
    const at = {position: 16, alpha: 16 + 9 * n, colour: 16 + 10 * n, scale: 16 + 13 * n, turn: 16 + 16 * n,
                sh: 16 + 20 * n};
    const rows = Math.max(1, Math.ceil(n / kWidth)), texels = [];
    for (let t = 0; t < kTexels[degree]; ++t) texels.push(new Uint32Array(4 * kWidth * rows));
    centres = new Float32Array(4 * n);
    alphas = new Uint8Array(n);
    depths = new Uint32Array(n);
    const [first, second] = texels, floats = new Float32Array(first.buffer);
    const colours = new Uint8Array(second.buffer);
    const harmonics = texels.slice(2).map(words => new Uint8Array(words.buffer));
    const sizes = Float32Array.from({length: 256}, (_, i) => kSigmas * world * Math.exp(i / 16 - 10));
    for (let i = 0, row = 0, every = 64, step = 64; i < n; ++i, row += step) {
      while (row >= n) step = every, row = every /= 2;
      for (let c = 0; c < 3; ++c) {
        const p = at.position + 9 * row + 3 * c;
        const steps = (bytes[p] << 8 | bytes[p + 1] << 16 | bytes[p + 2] << 24) >> 8;
        floats[4 * i + c] = centres[4 * i + c] = c === 0 ? steps * unit : -steps * unit;
      }
      first[4 * i + 3] = view.getUint32(at.turn + 4 * row, true);
      const s = at.scale + 3 * row, rgb = at.colour + 3 * row, b = 16 * i;
      centres[4 * i + 3] = sizes[Math.max(bytes[s], bytes[s + 1], bytes[s + 2])];
      colours[b] = alphas[i] = bytes[at.alpha + row];
      for (let c = 0; c < 3; ++c) {
        colours[b + 1 + c] = bytes[rgb + c];
        colours[b + 4 + c] = bytes[s + c];
      }
      const sh = at.sh + more * row;
      for (let k = 0; k < Math.min(9, more); ++k) colours[b + 7 + k] = bytes[sh + k];
      for (let k = 9; k < more; ++k) harmonics[k - 9 >> 4][b + (k - 9 & 15)] = bytes[sh + k];
    }
    return {n, degree, antialias: (bytes[14] & 1) === 1, rows, texels};
  }

  // From far to near, those whose sphere touches the frustum. `view`: rows of cam_from_world [12], tangents of its
  // sides, of how many splats one is drawn. Keys are 16 bits of the float's pattern, nearly its logarithm.
  function sort(view, order) {
    const {rows: m, every} = view, n = Math.ceil(alphas.length / every), enlarged = Math.sqrt(every);
    const number = new Float32Array(1), bits = new Uint32Array(number.buffer);
    const [left, right, top, bottom] = view.sides, [wl, wr, wt, wb] = view.sides.map(s => Math.hypot(1, s));
    let low = 0xffffffff, high = 0;
    for (let i = 0; i < n; ++i) {
      const x = centres[4 * i], y = centres[4 * i + 1], z = centres[4 * i + 2], r = enlarged * centres[4 * i + 3];
      const d = m[8] * x + m[9] * y + m[10] * z + m[11];
      depths[i] = 0;
      if (!(d >= near)) continue;
      const u = m[0] * x + m[1] * y + m[2] * z + m[3], v = m[4] * x + m[5] * y + m[6] * z + m[7];
      if (u < left * d - r * wl || u > right * d + r * wr || v < top * d - r * wt || v > bottom * d + r * wb) continue;
      number[0] = d;
      const key = bits[0];
      depths[i] = key;
      if (key < low) low = key;
      if (key > high) high = key;
    }
    const per = high > low ? (kBuckets - 1) / (high - low) : 0;
    counts.fill(0);
    for (let i = 0; i < n; ++i)
      if (depths[i] !== 0) ++counts[((depths[i] - low) * per | 0) + 1];
    for (let b = 0; b < kBuckets; ++b) counts[b + 1] += counts[b];
    const visible = counts[kBuckets];
    for (let i = 0; i < n; ++i)
      if (depths[i] !== 0) order[visible - 1 - counts[(depths[i] - low) * per | 0]++] = i;
    return visible;
  }

  // The depth at which splats let half of a ray's light pass, or null. Its slopes, its radius per depth.
  function pick({rows: m, u, v, radius}) {
    const found = [];
    for (let i = 0; i < alphas.length; ++i) {
      const x = centres[4 * i], y = centres[4 * i + 1], z = centres[4 * i + 2];
      const d = m[8] * x + m[9] * y + m[10] * z + m[11];
      if (!(d >= near)) continue;
      const du = (m[0] * x + m[1] * y + m[2] * z + m[3]) / d - u, dv = (m[4] * x + m[5] * y + m[6] * z + m[7]) / d - v;
      const reach = centres[4 * i + 3] / kSigmas / d + radius, square = (du * du + dv * dv) / (reach * reach);
      if (square < 9) found.push([d, alphas[i] / 255 * Math.exp(-0.5 * square)]);
    }
    found.sort((a, b) => a[0] - b[0]);
    let light = 1;
    for (const [d, alpha] of found)
      if ((light *= 1 - alpha) <= 0.5) return d;
    return null;
  }

  const unzip = new DecompressionStream('gzip'), packed = unzip.writable.getWriter();
  const fail = error => postMessage({error: error.message || String(error)});
  new Response(unzip.readable).arrayBuffer().then(all => {
    const splats = unpack(new Uint8Array(all));
    postMessage({splats}, splats.texels.map(words => words.buffer));
  }).catch(fail);

  function fromText(text) {
    const bytes = new Uint8Array(2 * text.length);
    let held = 0, bits = 0, size = 0;
    const put = group => {
      held = held << 7 | group;
      if ((bits += 7) >= 8) bytes[size++] = held >> (bits -= 8);
    };
    for (let i = 0; i < text.length; ++i) {
      const code = text.charCodeAt(i);
      if (code > 255) put([0, 10, 13, 60][(code >> 7) - 2]);
      put(code & 127);
    }
    return bytes.subarray(0, size);
  }
  function write(chunk) {
    packed.write(typeof chunk === 'string' ? fromText(chunk) : chunk).catch(() => 0);  // what is wrong, its reader says
  }

  onmessage = ({data}) => {
    if (data.space) [world, near] = data.space;
    if (data.chunk) write(data.chunk);
    if (data.end) packed.close().catch(() => 0);
    if (data.sort) {
      const order = new Uint32Array(data.order || new ArrayBuffer(4 * kWidth * Math.ceil(alphas.length / kWidth)));
      const began = performance.now(), visible = sort(data.sort, order);
      postMessage({order: order.buffer, visible, view: data.sort, ms: performance.now() - began}, [order.buffer]);
    }
    if (data.pick) postMessage({picked: pick(data.pick)});
  };
}
