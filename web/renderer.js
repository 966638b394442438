// Draws splats by WebGL 2: project.frag finds every ellipse once a picture, then quads are blended in the worker's
// order. An instance is a block of kBlock quads, since drivers take their time for each.
const kBlock = 2048;  // a row of the order's texture; splat.vert knows it

class Renderer {
  constructor(canvas, scene) {
    this.scene = scene;
    const gl = this.gl = canvas.getContext('webgl2', {alpha: false, antialias: false, depth: false, stencil: false,
                                                      powerPreference: 'high-performance'});
    if (!gl) throw new Error('This page needs WebGL 2, which this browser does not offer (or has switched off).');
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    this.name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
    this.project = this.program('fullscreen.vert', 'project.frag');
    this.blend = this.program('splat.vert', 'splat.frag');
    this.visible = 0;
    this.part = 64;  // blocks at once while nothing moves: what begins to move need not wait long
    this.nothing = gl.createVertexArray();
    this.quads = gl.createVertexArray();
    gl.bindVertexArray(this.quads);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    const corners = Uint16Array.from({length: 6 * kBlock}, (_, i) => 4 * Math.floor(i / 6) + [0, 1, 2, 2, 1, 3][i % 6]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    gl.disable(gl.DITHER);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [type, name] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, of(name).textContent);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error('The graphics driver refuses a shader: ' + gl.getProgramInfoLog(program));
    const at = {};
    for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; i >= 0; --i) {
      const name = gl.getActiveUniform(program, i).name;
      at[name] = gl.getUniformLocation(program, name);
    }
    return {program, at};
  }

  texture(format, layout, type, rows, data) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, format, 2048, rows, 0, layout, type, data);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    return texture;
  }

  setSplats(splats) {
    const gl = this.gl;
    if (splats.rows > gl.getParameter(gl.MAX_TEXTURE_SIZE))
      throw new Error('These are more splats than this graphics card can hold.');
    this.splats = splats;
    const words = data => this.texture(gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT, splats.rows, data);
    this.texels = splats.texels.map(words);
    splats.texels = null;
    this.places = words(null);
    this.paints = this.texture(gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, splats.rows, null);
    this.order = this.texture(gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, splats.rows, null);
    this.found = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.found);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.places, 0);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT1, gl.TEXTURE_2D, this.paints, 0);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE)
      throw new Error('The graphics driver cannot draw into integers.');
  }

  setOrder(order, visible, every) {
    const gl = this.gl, blocks = Math.ceil(visible / kBlock);
    Object.assign(this, {blocks, visible, every});
    gl.bindTexture(gl.TEXTURE_2D, this.order);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, kBlock, blocks, gl.RED_INTEGER, gl.UNSIGNED_INT, new Uint32Array(order));
  }

  bind(textures, program, names) {
    const gl = this.gl;
    gl.useProgram(program.program);
    textures.forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(program.at[names[unit]], unit);
    });
  }

  // Twin of make_view_params() in splat/math/project.h. The lens is in pixels of the viewport.
  findEllipses({rows: m, position, lens}) {
    const gl = this.gl, {at} = this.project, margin = 0.15, s = this.splats;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.found);
    gl.viewport(0, 0, 2048, Math.ceil(s.rows / this.every));
    gl.disable(gl.BLEND);
    const five = Array.from({length: 5}, (_, i) => this.texels[Math.min(i, this.texels.length - 1)]);
    this.bind(five, this.project, ['texel0', 'texel1', 'texel2', 'texel3', 'texel4']);
    gl.uniform1i(at.shDegree, s.degree);
    gl.uniform1i(at.splats, Math.ceil(s.n / this.every));
    gl.uniform1i(at.antialias, Number(s.antialias));
    gl.uniform1f(at.lowPass, this.scene.lowPass);
    gl.uniform1f(at.enlarged, Math.sqrt(this.every));
    gl.uniform2f(at.space, ...this.scene.space);
    gl.uniformMatrix3fv(at.rotation, false, [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]]);
    gl.uniform3f(at.translation, m[3], m[7], m[11]);
    gl.uniform3f(at.centre, ...position);
    gl.uniform2f(at.focalPx, lens.fx, lens.fy);
    gl.uniform2f(at.principalPx, lens.cx, lens.cy);
    const side = (n, c, f) => [(-margin * n - c) / f, ((1 + margin) * n - c) / f];
    gl.uniform4f(at.jacobianLimits, ...side(lens.w, lens.cx, lens.fx), ...side(lens.h, lens.cy, lens.fy));
    gl.bindVertexArray(this.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  // All of it, into `target` (null: the page), its rectangle [x, y, width, height].
  draw(view, target, rectangle) {
    this.clear(view, target, rectangle);
    this.blendBlocks(Infinity);
  }
  clear(view, target, rectangle) {
    const gl = this.gl;
    this.findEllipses(view);
    this.into = {view, target, rectangle};
    this.next = 0;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.scissor(...rectangle);
    gl.enable(gl.SCISSOR_TEST);
    gl.clearColor(...this.scene.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.SCISSOR_TEST);
  }
  // The next blocks; whether all are drawn.
  blendBlocks(count) {
    const gl = this.gl, {next, blend: {at}, into: {view, target, rectangle}} = this, left = this.blocks - next;
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.viewport(...rectangle);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.bind([this.places, this.paints, this.order], this.blend, ['places', 'paints', 'order']);
    gl.uniform1i(at.visible, this.visible);
    gl.uniform1i(at.first, next);
    gl.uniform2f(at.sizePx, view.lens.w, view.lens.h);
    gl.bindVertexArray(this.quads);
    if (left > 0) gl.drawElementsInstanced(gl.TRIANGLES, 6 * kBlock, gl.UNSIGNED_SHORT, 0, Math.min(count, left));
    this.next += count;
    return count >= left;
  }

  // A picture in parts that show() puts on the page: all at once, or as much as nobody notices.
  begin(view, atOnce) {
    const gl = this.gl, {w, h} = view.lens;
    if (!this.whole) this.whole = gl.createTexture(), this.behind = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, this.whole);
    if (this.w !== w || this.h !== h)
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, w, h, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    Object.assign(this, {w, h, atOnce});
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.behind);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.whole, 0);
    this.clear(view, this.behind, [0, 0, w, h]);
  }
  goOn() {
    const gl = this.gl, over = this.blendBlocks(this.atOnce ? Infinity : Math.ceil(this.part));
    if (!this.fence) this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0), this.since = performance.now();
    gl.flush();
    return over;
  }
  show() {
    const gl = this.gl, {w, h} = this;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.behind);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, w, h, 0, 0, w, h, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  }
  // Milliseconds that goOn() took; 0: nothing new is known; null: the card is still busy, and late.
  spent() {
    const gl = this.gl, {fence} = this, ms = performance.now() - this.since;
    if (!fence) return 0;
    if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return ms < 30 ? 0 : null;
    gl.deleteSync(fence);
    this.fence = null;
    return ms;
  }
}
