/** Waits, but no longer than until the network comes back; rejects with the signal's reason when it is aborted. */
export function patience(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, milliseconds)
    globalThis.addEventListener('online', finish)
    signal.addEventListener('abort', finish)

    function finish() {
      clearTimeout(timer)
      globalThis.removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      if (signal.aborted) reject(signal.reason as Error)
      else resolve()
    }
  })
}
