import { takeover } from './takeover-events.ts'

/** The longest that images keep the page's script waiting once the document is there, in milliseconds. */
const patience = 2_500

/**
 * Runs in the document's head. Images come first: it loads the page's script, named by its `data-src`, with what that
 * imports when everything else is there, or takes too long; before that only for whoever comes back to where they
 * were, and at the first sign that a user is about to do something. Without `data-src` the document loads the
 * script itself.
 *
 * What a user did before the page could answer is done once it can: clicks on buttons, and choices. Links and the
 * search form work without any script, and a text typed meanwhile stays in its field.
 */
export const loadingScript = `(function () {
  var d = document, data = d.currentScript.dataset, started = false, kept = []
  var signs = ['pointerdown', 'keydown', 'touchstart', 'focusin']
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
    signs.forEach(function (sign) { removeEventListener(sign, start, true) })
    data.imports.split(' ').concat(data.src).forEach(function (href) {
      if (href) add('link', { rel: 'modulepreload', href: href })
    })
    if (d.readyState === 'loading') d.addEventListener('DOMContentLoaded', run)
    else run()
  }
  function keep(event) {
    var target = event.target, button = target.closest && target.closest('button')
    if (event.type === 'click' && button) kept.push([button])
    if (event.type === 'change' && target.localName === 'select') kept.push([target, target.value])
  }

  addEventListener('click', keep, true)
  addEventListener('change', keep, true)
  d.addEventListener('${takeover.begins}', function () {
    removeEventListener('click', keep, true)
    removeEventListener('change', keep, true)
  })
  d.addEventListener('${takeover.ends}', function () {
    kept.splice(0).forEach(function (one) {
      var target = one[0]
      if (!target.isConnected) return
      if (one.length === 1) return target.click()
      target.value = one[1]
      target.dispatchEvent(new Event('change', { bubbles: true }))
    })
  })

  if (!data.src) return
  if (visit && visit.type !== 'navigate') return start()
  signs.forEach(function (sign) { addEventListener(sign, start, true) })
  addEventListener('load', start)
  d.addEventListener('DOMContentLoaded', function () { setTimeout(start, ${patience}) })
})()`.replaceAll(/\n\s*/g, '\n')
