// What lies over the picture: title, buttons, notes, help.
class Interface {
  constructor(page) {
    this.page = page;
    const {scene} = page, of = id => document.getElementById(id), body = document.body;
    this.of = of;
    body.classList.toggle('has-photos', scene.views.length > 0);
    body.classList.toggle('has-path', Boolean(scene.path));
    const number = new Intl.NumberFormat('en');
    of('count').textContent = number.format(scene.splats) + (scene.splats === 1 ? ' splat' : ' splats');
    of('facts').textContent = number.format(scene.splats) + ' splats, harmonics of degree ' + scene.degree + ', ' +
        (scene.bytes / 1e6).toFixed(1) + ' MB. Drawn by ' + page.renderer.name + '.';
    for (const button of document.querySelectorAll('button')) {
      button.setAttribute('aria-label', button.title);
      button.addEventListener('click', () => page.command(button.dataset.command));
    }
    of('help').addEventListener('pointerdown', event => { if (event.target === of('help')) this.help(false); });
    if (!document.documentElement.requestFullscreen) document.querySelector('[data-command=full]').hidden = true;
  }

  progress(share, what) {
    this.of('bar').style.width = 100 * share + '%';
    const megabytes = this.page.scene.bytes / 1e6;
    const part = (share * megabytes).toFixed(1) + ' of ' + megabytes.toFixed(1) + ' MB';
    this.of('state').textContent = what || 'loading ' + part;
  }
  loaded() { document.body.classList.add('loaded'); }
  fail(what) { Interface.refuse(what); }
  static refuse(what) {
    const box = document.getElementById('failure');
    box.textContent = what;
    box.hidden = false;
    document.getElementById('loading').hidden = true;
  }

  note(text, seconds) {
    const note = this.of('note');
    note.textContent = text;
    note.classList.add('on');
    clearTimeout(this.fading);
    if (seconds) this.fading = setTimeout(() => note.classList.remove('on'), 1000 * seconds);
  }
  photo(index) {
    const {views} = this.page.scene;
    if (index < 0) this.of('note').classList.remove('on');
    else this.note(views[index][0] + '  ·  ' + (index + 1) + ' / ' + views.length, 3);
  }
  playing(on) { document.body.classList.toggle('playing', on); }
  help(on = this.of('help').hidden) {
    this.of('help').hidden = !on;
    if (on) this.of('help').querySelector('button').focus();
  }
  fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => 0);
  }
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch (refused) {  // from disk, say: by the old way
      const field = document.body.appendChild(document.createElement('textarea'));
      field.value = text;
      field.select();
      const copied = document.execCommand('copy');
      field.remove();
      if (!copied) return this.note('The link is in the address bar.', 4);
    }
    this.note('Link to this view copied.', 2);
  }
}
