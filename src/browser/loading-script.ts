import { providerErrorKey } from '../../shared/provider-sign-in.ts'
import { hydrationEnd } from './hydration.ts'

/** Maximum time that the page's scripts wait for images after the document has been parsed, in milliseconds. */
const maxImageWaitMs = 2_500

/** Time after which they load on a page that is not used, so that it shows new posts, in milliseconds. */
const maxRestMs = 15_000

/**
 * Inline script of the document's head. Loads the page's scripts (`data-files`), by `data-when`:
 *
 * - `now`: at once.
 * - `painted`: once the browser has painted the images, at a timeout, or at the first press of a key or button.
 * - `used`: as `painted`, but for visitors not before they use the page: a pointer moves, the page scrolls, another tab changes
 *   what is stored. It asks the server after the paint, and pages of visitors get the attribute `data-visitor`.
 *
 * Reloads, traversals and errors of the sign-in provider run them at once. They run one by one, with input between them.
 *
 * Until hydration it keeps clicks on buttons and on the image of a post, and changes of selects, marks these as waiting, and repeats
 * them afterwards; it drops them if a script fails. Other links and forms work without scripts, and text stays in its field.
 */
export const loadingScript = `(function () {
  var d = document, data = d.currentScript.dataset, files = data.files.split(' '), kept = new Map()
  var isStarted = false, isPreloaded = false, isUsed = data.when !== 'used'
  var presses = ['pointerdown', 'keydown', 'touchstart', 'focusin']
  var uses = ['pointermove', 'wheel', 'scroll', 'storage']
  var visit = performance.getEntriesByType('navigation')[0]

  function listen(types, listener, isOn) {
    types.forEach(function (type) { (isOn ? addEventListener : removeEventListener)(type, listener, true) })
  }
  function preload() {
    if (isPreloaded) return
    isPreloaded = true
    files.forEach(function (href) {
      d.head.append(Object.assign(d.createElement('link'), { rel: 'modulepreload', href: href }))
    })
  }
  function start() {
    if (isStarted) return
    isStarted = true
    listen(presses, start)
    listen(uses, use)
    preload()
    if (d.readyState === 'loading') d.addEventListener('DOMContentLoaded', function () { run(0) })
    else run(0)
  }
  function use(event) {
    // Chrome reports a pointer that rests while the page loads below it.
    if (event && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0) return
    isUsed = true
    if (isPreloaded) start()
  }
  function paint() {
    if (isPreloaded) return
    preload()
    if (isUsed) return start()
    setTimeout(start, ${maxRestMs})
    fetch('/trpc/viewer', { priority: 'low' }).then(function (r) { return r.json() }).then(function (answer) {
      if (answer.result.data) use()
      else d.documentElement.dataset.visitor = ''
    }).catch(use)
  }
  function run(index) {
    if (index < files.length) import(files[index]).then(function () { setTimeout(run, 0, index + 1) }, release)
  }
  function keep(event) {
    var target = event.target.closest(event.type === 'click' ? 'button[type=button], a[draggable=false]' : 'select')
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    target.dataset.waiting = ''
    kept.set(target, target.value)
    start()
  }

  function release() {
    listen(['click', 'change'], keep)
    kept.forEach(function (value, target) { delete target.dataset.waiting })
  }

  listen(['click', 'change'], keep, true)
  d.addEventListener('${hydrationEnd}', function () {
    release()
    kept.forEach(function (value, target) {
      if (target.localName !== 'select') return target.click()
      target.value = value
      target.dispatchEvent(new Event('change', { bubbles: true }))
    })
  })

  var isReturn = visit && visit.type !== 'navigate' || location.hash.includes('${providerErrorKey}')
  if (data.when === 'now' || isReturn) return start()
  listen(presses, start, true)
  listen(uses, use, true)
  addEventListener('load', function () {
    requestAnimationFrame(function () { new PerformanceObserver(paint).observe({ type: 'paint', buffered: true }) })
  })
  d.addEventListener('DOMContentLoaded', function () { setTimeout(paint, ${maxImageWaitMs}) })
})()`.replaceAll(/\n\s*/g, '\n')
