import type { EventSource, EventSourceInit } from 'eventsource'

let Ponyfill: typeof EventSource | undefined

/** Loads the ponyfill. Called before the first subscription, which few visitors open. */
export async function loadEventSource(): Promise<void> {
  Ponyfill = (await import('eventsource')).EventSource
}

/** EventSource that can send headers, unlike the browser's own. Call `loadEventSource` first. */
export const LazyEventSource = function (url: string | URL, init?: EventSourceInit) {
  if (!Ponyfill) throw new Error('LazyEventSource requires loadEventSource first')
  return new Ponyfill(url, init)
} as unknown as typeof EventSource
