// Draws splats by WebGL 2: project.frag finds every ellipse once a picture, then quads are blended in the worker's
// order. An instance is a block of kBlock quads: drivers, and SwiftShader above all, take their time for each.
const kBlock = 2048;  // a row of the order's texture; splat.vert knows it

class Renderer {
  constructor(canvas, scene, shader) {
    this.canvas = canvas;
    this.scene = scene;
    const gl = this.gl = canvas.getContext('webgl2', {alpha: false, antialias: false, depth: false, stencil: false,
                                                      powerPreference: 'high-performance', xrCompatible: false});
    if (!gl) throw new Error('This page needs WebGL 2, which this browser does not offer (or has switched off).');
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    this.name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
    this.project = this.program(shader('fullscreen.vert'), shader('project.frag'));
    this.blend = this.program(shader('splat.vert'), shader('splat.frag'));
    this.visible = 0;
    this.nothing = gl.createVertexArray();
    this.quads = gl.createVertexArray();
    gl.bindVertexArray(this.quads);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    const corners = Uint16Array.from({length: 6 * kBlock}, (_, i) => 4 * Math.floor(i / 6) + [0, 1, 2, 2, 1, 3][i % 6]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.DITHER);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      const logs = gl.getAttachedShaders(program).map(shader => gl.getShaderInfoLog(shader));
      throw new Error('The graphics driver refuses a shader: ' + logs.join(' ') + gl.getProgramInfoLog(program));
    }
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
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
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
      throw new Error('The graphics driver cannot draw into integers, which WebGL 2 promises.');
  }

  setOrder(order, visible, enlarged) {
    const gl = this.gl;
    this.visible = visible;
    this.enlarged = enlarged;
    gl.bindTexture(gl.TEXTURE_2D, this.order);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, kBlock, Math.ceil(visible / kBlock), gl.RED_INTEGER, gl.UNSIGNED_INT,
                     new Uint32Array(order));
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
    gl.viewport(0, 0, 2048, s.rows);
    gl.disable(gl.BLEND);
    const five = Array.from({length: 5}, (_, i) => this.texels[Math.min(i, this.texels.length - 1)]);
    this.bind(five, this.project, ['texel0', 'texel1', 'texel2', 'texel3', 'texel4']);
    gl.uniform1i(at.shDegree, s.degree);
    gl.uniform1i(at.splats, s.n);
    gl.uniform1i(at.antialias, Number(s.antialias));
    gl.uniform1f(at.lowPass, this.scene.lowPass);
    gl.uniform1f(at.enlarged, this.enlarged);
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

  // Into `target` (null: the page), its rectangle [x, y, width, height].
  draw(view, target, [x, y, w, h]) {
    const gl = this.gl, [r, g, b] = this.scene.background;
    this.findEllipses(view);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.viewport(x, y, w, h);
    gl.scissor(x, y, w, h);
    gl.enable(gl.SCISSOR_TEST);
    gl.clearColor(r, g, b, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.bind([this.places, this.paints, this.order], this.blend, ['places', 'paints', 'order']);
    gl.uniform1i(this.blend.at.visible, this.visible);
    gl.uniform2f(this.blend.at.sizePx, view.lens.w, view.lens.h);
    gl.bindVertexArray(this.quads);
    const blocks = Math.ceil(this.visible / kBlock);
    if (blocks > 0) gl.drawElementsInstanced(gl.TRIANGLES, 6 * kBlock, gl.UNSIGNED_SHORT, 0, blocks);
    gl.disable(gl.SCISSOR_TEST);
  }
}
