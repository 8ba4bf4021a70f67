import { hydrationEvents } from './hydration.tsx'

/** Maximum time that the page's script waits for images after the document has been parsed, in milliseconds. */
const maxImageWaitMs = 2_500

/**
 * Inline script of the document's head. Loads the page's script (`data-src`) and its imports after the images, after a
 * timeout, on a reload or traversal, or at the first sign of an interaction, whichever is first. Without `data-src` the
 * document loads the script itself.
 *
 * Records clicks on buttons and changes of selects until hydration, then replays them. Links and the search form work
 * without JavaScript, and text stays in its field.
 */
export const loadingScript = `(function () {
  var d = document, data = d.currentScript.dataset, started = false, recorded = []
  var interactions = ['pointerdown', 'keydown', 'touchstart', 'focusin']
  var visit = performance.getEntriesByType('navigation')[0]

  function add(name, attributes) {
    d.head.appendChild(Object.assign(d.createElement(name), attributes))
  }
  function run() {
    add('script', { type: 'module', src: data.src })
  }
  function start() {
    if (started) return
    started = true
    interactions.forEach(function (type) { removeEventListener(type, start, true) })
    data.imports.split(' ').concat(data.src).forEach(function (href) {
      if (href) add('link', { rel: 'modulepreload', href: href })
    })
    if (d.readyState === 'loading') d.addEventListener('DOMContentLoaded', run)
    else run()
  }
  function record(event) {
    var target = event.target, button = target.closest && target.closest('button')
    if (event.type === 'click' && button) recorded.push([button])
    if (event.type === 'change' && target.localName === 'select') recorded.push([target, target.value])
  }

  addEventListener('click', record, true)
  addEventListener('change', record, true)
  d.addEventListener('${hydrationEvents.start}', function () {
    removeEventListener('click', record, true)
    removeEventListener('change', record, true)
  })
  d.addEventListener('${hydrationEvents.end}', function () {
    recorded.splice(0).forEach(function (entry) {
      var target = entry[0]
      if (!target.isConnected) return
      if (entry.length === 1) return target.click()
      target.value = entry[1]
      target.dispatchEvent(new Event('change', { bubbles: true }))
    })
  })

  if (!data.src) return
  if (visit && visit.type !== 'navigate') return start()
  interactions.forEach(function (type) { addEventListener(type, start, true) })
  addEventListener('load', start)
  d.addEventListener('DOMContentLoaded', function () { setTimeout(start, ${maxImageWaitMs}) })
})()`.replaceAll(/\n\s*/g, '\n')
