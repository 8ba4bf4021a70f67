import type { EventSource, EventSourceInit } from 'eventsource'

let Ponyfill: typeof EventSource | undefined

/** Loads the ponyfill with the first subscription, as few visitors need it. */
export async function loadEventSource(): Promise<void> {
  Ponyfill = (await import('eventsource')).EventSource
}

/** EventSource whose requests can carry headers, which the browser's own can't. Needs `loadEventSource` first. */
export const LazyEventSource = function (url: string | URL, init?: EventSourceInit) {
  if (!Ponyfill) throw new Error('The EventSource is not loaded yet.')
  return new Ponyfill(url, init)
} as unknown as typeof EventSource
