// A run that trains while its page is open: how far it is, curves, its newest splats under a camera that stays, photos
// beside their views, and what can be asked of it. Asks the server that gave the page, by names beside it.
const kAskEvery = 2000;  // ms
const kCurves = [['loss', 1], ['splats', 2], ['psnr', 3]];  // columns of the history, after the iteration

class Live {
  constructor(page) {
    this.page = page;
    this.token = location.pathname.split('/')[1];
    this.shown = 0;  // the number of the splats in the picture
    this.missed = 0;
    this.seen = {view: -1, iteration: -1};  // of the pair
    this.split = 0.5;
    const box = this.box = document.body.appendChild(document.createElement('section'));
    box.id = 'live';
    box.setAttribute('aria-label', 'The run');
    box.innerHTML =
        '<p id="live-state" role="status">waiting for the run</p><div class="track"><div></div></div>' +
        '<p class="faint" id="live-facts"></p><canvas aria-hidden="true"></canvas>' +
        '<p class="faint"><span class="loss">loss <b></b></span><span class="psnr"> · PSNR <b></b></span>' +
        '<span class="splats"> · splats <b></b></span></p><p class="faint" id="live-shown"></p><div class="row">' +
        '<button data-ask="pause">Pause</button><button data-ask="checkpoint">Checkpoint</button>' +
        '<button data-ask="stop">Stop</button><button data-ask="pair" aria-pressed="false">Compare photo</button></div>';
    for (const button of box.querySelectorAll('button')) button.addEventListener('click', () => this.click(button));
    this.button = name => box.querySelector('[data-ask=' + name + ']');
    this.button('pair').hidden = !page.scene.views.length;
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.ask(); });
    this.ask();
  }

  // ---- the run

  async ask() {
    clearTimeout(this.timer);
    if (document.hidden || this.over) return;  // nobody looks: the run need not make anything
    try {
      const answer = await fetch('status.json', {cache: 'no-store'});
      if (!answer.ok) throw new Error(answer.status);
      const text = await answer.text();
      if (text) this.show(JSON.parse(text));
      this.missed = 0;
    } catch (error) {
      if (++this.missed >= 3) this.end('The run has ended, or its server cannot be reached.');
    }
    this.timer = setTimeout(() => this.ask(), kAskEvery);
  }

  show(run) {
    this.run = run;
    const text = (id, what) => { document.getElementById(id).textContent = what; };
    const number = new Intl.NumberFormat('en'), time = s => s < 90 ? Math.round(s) + ' s' : s < 5400 ?
        Math.round(s / 60) + ' min' : (s / 3600).toFixed(1) + ' h';
    text('live-state', run.phase + ' · ' + number.format(run.iteration) + ' of ' + number.format(run.iterations));
    text('live-facts', [run.phase === 'training' && run.left > 0 ? 'about ' + time(run.left) + ' left' : '',
      time(run.seconds) + ' so far', run.speed > 0 ? run.speed.toFixed(1) + ' it/s' : '', run.note]
        .filter(Boolean).join(' · '));
    this.box.querySelector('.track div').style.width = 100 * run.iteration / Math.max(1, run.iterations) + '%';
    this.button('pause').textContent = run.phase === 'paused' ? 'Go on' : 'Pause';
    const works = run.phase === 'training' || run.phase === 'paused';
    for (const name of ['pause', 'checkpoint', 'stop']) this.button(name).disabled = !works;
    this.drawCurves(run.history);
    const {shown} = run;
    if (shown.number > this.shown && !this.loading) this.load(shown);
    if (this.pair) this.askPair();
    if (run.phase === 'ended') this.end('The run has ended: ' + run.note);
  }

  end(why) {
    this.over = true;
    document.getElementById('live-state').textContent = why;
    for (const button of this.box.querySelectorAll('button')) button.disabled = true;
    this.button('pair').disabled = !this.pair;  // it leads back to the splats
  }

  async click(button) {
    const what = button.dataset.ask;
    if (what === 'pair') return this.togglePair();
    if (what === 'stop' && !this.sure) {
      this.sure = true;
      button.textContent = 'Really stop?';
      setTimeout(() => { this.sure = false, button.textContent = 'Stop'; }, 4000);
      return;
    }
    const name = what === 'pause' && this.run && this.run.phase === 'paused' ? 'continue' : what;
    const answer = await fetch(name, {method: 'POST', headers: {'X-Hipsplat-Token': this.token}}).catch(() => 0);
    if (!answer || !answer.ok) this.page.ui.note('The run could not be asked for that.', 4);
    setTimeout(() => this.ask(), 300);
  }

  // Each curve in a range of its own; the latest values stand below.
  drawCurves(history) {
    const canvas = this.box.querySelector('canvas'), ink = canvas.getContext('2d');
    const dense = window.devicePixelRatio || 1, w = canvas.width = canvas.clientWidth * dense;
    const h = canvas.height = canvas.clientHeight * dense;
    const number = new Intl.NumberFormat('en'), last = history.length ? history[history.length - 1][0] : 1;
    for (const [name, column] of kCurves) {
      const points = history.filter(row => row[column] !== null), line = this.box.querySelector('.' + name);
      line.hidden = !points.length;
      if (!points.length) continue;
      const values = points.map(row => row[column]), low = Math.min(...values), high = Math.max(...values);
      const value = values[values.length - 1];
      line.querySelector('b').textContent = name === 'loss' ? value.toFixed(4) : name === 'psnr' ?
          value.toFixed(2) + ' dB' : number.format(value);
      ink.strokeStyle = getComputedStyle(line).color;
      ink.lineWidth = 1.5 * dense;
      ink.beginPath();
      points.forEach((row, i) => {
        const x = row[0] / Math.max(1, last) * w, share = (row[column] - low) / (high - low || 1);
        const y = h - 2 * dense - share * (h - 4 * dense);
        if (i) ink.lineTo(x, y);
        else ink.moveTo(x, y);
      });
      ink.stroke();
    }
  }

  // ---- its splats

  // A new state is unpacked by a worker of its own, while the old one stays in the picture.
  async load(shown) {
    this.loading = true;
    try {
      const answer = await fetch('splats.spz', {cache: 'no-store'});
      if (!answer.ok) throw new Error(answer.status);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const code = URL.createObjectURL(new Blob(['(' + splatWorker + ')()'], {type: 'text/javascript'}));
      const worker = new Worker(code);
      const splats = await new Promise((done, failed) => {
        worker.onmessage = ({data}) => data.splats ? done(data.splats) : data.error && failed(new Error(data.error));
        worker.onerror = () => failed(new Error('no worker'));
        worker.postMessage({space: this.page.scene.space});
        worker.postMessage({chunk: bytes}, [bytes.buffer]);
        worker.postMessage({end: true});
      });
      URL.revokeObjectURL(code);
      await this.page.ready;
      this.swap(worker, splats);
      this.shown = shown.number;
      const number = new Intl.NumberFormat('en');
      document.getElementById('count').textContent = number.format(shown.of) + ' splats';
      document.getElementById('live-shown').textContent = 'picture: iteration ' + number.format(shown.iteration) +
          (shown.splats < shown.of ? ', ' + number.format(shown.splats) + ' of its splats, enlarged' : '') +
          ', colours of degree ' + shown.degree;
    } catch (error) {
      console.warn('no new splats: ' + error.message);  // the next state may come through
    }
    this.loading = false;
  }

  swap(worker, splats) {
    const {page} = this, {renderer} = page, {gl} = renderer;
    page.worker.terminate();
    page.worker = worker;
    worker.onmessage = ({data}) => page.answer(data);
    const {texels, places, paints, order} = renderer;
    for (const texture of [...texels, places, paints, order]) gl.deleteTexture(texture);
    gl.deleteFramebuffer(renderer.found);
    page.sorting = false;
    page.sorted = page.order = null;  // the picture stays until there is a new order
    page.answer({splats});
  }

  // ---- a photo and its view

  togglePair() {
    this.button('pair').setAttribute('aria-pressed', String(!this.pair));
    document.body.classList.toggle('pairing', !this.pair);
    if (this.pair) {
      this.pair.remove();
      this.pair = null;
      this.button('pair').disabled = Boolean(this.over);
      return;
    }
    const pair = this.pair = document.createElement('div');
    pair.id = 'pair';
    pair.innerHTML = '<canvas role="img"></canvas><p role="status">waiting for the picture</p>' +
        '<input type="range" min="0" max="1" step="0.002" aria-label="Photo to the left, the splats to the right">';
    document.body.insertBefore(pair, document.querySelector('header'));
    const canvas = pair.querySelector('canvas'), range = pair.querySelector('input');
    const move = to => { this.split = Math.min(1, Math.max(0, to)), range.value = this.split, this.drawPair(); };
    range.addEventListener('input', () => move(Number(range.value)));
    range.addEventListener('keydown', event => { if (/^Arrow|Home/.test(event.key)) event.stopPropagation(); });
    const drag = event => {
      const {left, width} = canvas.getBoundingClientRect();
      if (event.buttons) move((event.clientX - left) / width);
    };
    canvas.addEventListener('pointerdown', drag);
    canvas.addEventListener('pointermove', drag);
    new ResizeObserver(() => this.drawPair()).observe(pair);
    this.seen = {view: -1, iteration: -1};
    move(this.split);
    this.askPair();
  }

  // The photo that the page is at, as the run draws it now.
  async askPair() {
    const {page} = this, view = page.photo >= 0 ? page.photo : page.lastPhoto || 0;
    if (this.asking || (this.seen.view === view && this.run && this.seen.iteration >= this.run.iteration)) return;
    this.asking = true;
    try {
      const after = this.seen.view === view ? this.seen.iteration : -1;
      const answer = await fetch('pair/' + view + '/' + after, {cache: 'no-store'});
      if (answer.status === 200 && this.pair) {
        this.picture = await createImageBitmap(await answer.blob());
        this.seen = {view, iteration: Number(answer.headers.get('X-Iteration'))};
        this.pair.querySelector('p').textContent = page.scene.views[view][0] + ' · photo | splats · ' +
            answer.headers.get('X-Psnr') + ' dB at iteration ' + this.seen.iteration;
        this.drawPair();
      }
    } catch (error) {
      console.warn('no pair: ' + error.message);
    }
    this.asking = false;
    if (this.pair && this.seen.view !== view && !this.over) setTimeout(() => this.pair && this.askPair(), 400);
  }

  // The picture has the photo in its left half, the splats in its right one. Drawn in the pixels of the screen.
  drawPair() {
    const {picture, pair} = this;
    if (!picture || !pair) return;
    const canvas = pair.querySelector('canvas'), dense = window.devicePixelRatio || 1;
    const w = picture.width / 2, h = picture.height, scale = Math.min(pair.clientWidth / w, pair.clientHeight / h);
    canvas.style.width = scale * w + 'px', canvas.style.height = scale * h + 'px';
    [canvas.width, canvas.height] = [w, h].map(side => Math.max(1, Math.round(dense * scale * side)));
    const ink = canvas.getContext('2d'), x = Math.round(this.split * w), line = Math.round(2 * dense);
    ink.imageSmoothingQuality = 'high';
    const at = x / w * canvas.width;
    if (x > 0) ink.drawImage(picture, 0, 0, x, h, 0, 0, at, canvas.height);
    if (x < w) ink.drawImage(picture, w + x, 0, w - x, h, at, 0, canvas.width - at, canvas.height);
    ink.fillStyle = '#fff';
    ink.fillRect(Math.round(at - line / 2), 0, line, canvas.height);
  }
}
