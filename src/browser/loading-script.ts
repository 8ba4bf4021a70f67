import { hydrationEnd } from './use-hydrated.ts'

/** Maximum time that the page's scripts wait for images after the document has been parsed, in milliseconds. */
const maxImageWaitMs = 2_500

/**
 * Inline script of the document's head. Loads the page's scripts (`data-files`) at once (`data-when="now"`), or after the paint
 * that follows the images, after a timeout, on a reload or traversal, or at the first sign of an interaction, whichever is first.
 * They run one by one, so that the browser responds to input between them.
 *
 * Until hydration it keeps clicks on buttons and changes of selects, marks these as waiting, and repeats them afterwards. Links
 * and forms work without scripts, and text stays in its field.
 */
export const loadingScript = `(function () {
  var d = document, data = d.currentScript.dataset, files = data.files.split(' '), isStarted = false, kept = new Map()
  var interactions = ['pointerdown', 'keydown', 'touchstart', 'focusin']
  var visit = performance.getEntriesByType('navigation')[0]

  function start() {
    if (isStarted) return
    isStarted = true
    interactions.forEach(function (type) { removeEventListener(type, start, true) })
    files.forEach(function (href) {
      d.head.append(Object.assign(d.createElement('link'), { rel: 'modulepreload', href: href }))
    })
    if (d.readyState === 'loading') d.addEventListener('DOMContentLoaded', function () { run(0) })
    else run(0)
  }
  function run(index) {
    if (index < files.length) import(files[index]).then(function () { setTimeout(run, 0, index + 1) })
  }
  function keep(event) {
    var target = event.target.closest(event.type === 'click' ? 'button[type=button]' : 'select')
    if (!target) return
    event.stopImmediatePropagation()
    target.dataset.waiting = ''
    kept.set(target, target.value)
  }

  addEventListener('click', keep, true)
  addEventListener('change', keep, true)
  d.addEventListener('${hydrationEnd}', function () {
    removeEventListener('click', keep, true)
    removeEventListener('change', keep, true)
    kept.forEach(function (value, target) {
      delete target.dataset.waiting
      if (target.localName === 'button') return target.click()
      target.value = value
      target.dispatchEvent(new Event('change', { bubbles: true }))
    })
  })

  if (data.when === 'now' || visit && visit.type !== 'navigate') return start()
  interactions.forEach(function (type) { addEventListener(type, start, true) })
  addEventListener('load', function () { requestAnimationFrame(function () { setTimeout(start) }) })
  d.addEventListener('DOMContentLoaded', function () { setTimeout(start, ${maxImageWaitMs}) })
})()`.replaceAll(/\n\s*/g, '\n')
