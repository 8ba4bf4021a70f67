/**
 * Inline script of the document's head. Applies the stored theme before the first paint, to avoid a flash of another one, and
 * whenever another tab changes it.
 */
export const themeBootScript = `(function () {
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
  addEventListener('storage', apply)
})()`.replaceAll(/\n\s*/g, '\n')
