/** Key in `localStorage`, set once the gallery was used. */
export const visitedKey = 'visited'

/**
 * Inline script of the document's head. Applies the stored theme before the first paint, to avoid a flash of another one, and
 * whenever another tab changes it. Marks a later visit, on which the gallery begins with its images. Pure, so that it is left
 * out of the page's scripts, which import the key.
 */
export const themeBootScript = /* @__PURE__ */ `(function () {
  var looks = { theme: ['soft-dark', 'hc'], scheme: ['light', 'dark'] }
  function apply() {
    try {
      for (var kind in looks) {
        var look = localStorage.getItem(kind), name = 'data-' + kind
        if (looks[kind].includes(look)) document.documentElement.setAttribute(name, look)
        else document.documentElement.removeAttribute(name)
      }
    } catch (e) {}
  }
  apply()
  try {
    if (localStorage.getItem('${visitedKey}')) document.documentElement.setAttribute('data-returning', '')
  } catch (e) {}
  addEventListener('storage', apply)
})()`.replaceAll(/\n\s*/g, '\n')
