/** The longest that a page of many images is waited for, in milliseconds. */
const longestWait = 2_000

/** Calls `start` when the page has what it shows at first; returns how to call that off. */
export function afterFirstPaint(start: () => void): () => void {
  if (document.readyState === 'complete') {
    const frame = requestAnimationFrame(start)
    return () => cancelAnimationFrame(frame)
  }
  const stopWaiting = () => {
    clearTimeout(timer)
    window.removeEventListener('load', go)
  }
  function go() {
    stopWaiting()
    start()
  }
  const timer = setTimeout(go, longestWait)
  window.addEventListener('load', go)
  return stopWaiting
}
