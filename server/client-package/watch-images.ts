import type { ImageEvent } from '../../shared/images.ts'
import type { RangoliClient } from './client.ts'

/**
 * Yields the current state of images and every change until all are finished. Reconnects automatically. Breaking out of the
 * loop, or aborting `signal`, ends the subscription; the generations continue.
 *
 * @example
 * const { images } = await rangoli.images.generate.mutate({ prompt: 'A peacock in the monsoon' })
 * for await (const event of watchImages(rangoli, images.map(({ id }) => id))) {
 *   if (event.type === 'state') console.log(event.image.state)
 * }
 *
 * @throws RangoliError if the site rejects the subscription; the abort reason if `signal` is aborted
 */
export async function* watchImages(
  client: Pick<RangoliClient, 'images'>,
  ids: readonly string[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ImageEvent, void> {
  const events: ImageEvent[] = []
  let wake = () => {}
  let end: { readonly error?: unknown } | null = null
  const finish = (result: { readonly error?: unknown }) => {
    end ??= result
    wake()
  }
  const onAbort = () => finish({ error: signal?.reason })
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  const subscription = client.images.watch.subscribe(
    { ids: [...ids] },
    {
      onData({ data }) {
        events.push(data)
        wake()
      },
      onError: (error) => finish({ error }),
      onComplete: () => finish({}),
    },
  )
  try {
    for (;;) {
      for (let event = events.shift(); event; event = events.shift()) yield event
      const ended = end as { readonly error?: unknown } | null
      if (ended && 'error' in ended) throw ended.error
      if (ended) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    subscription.unsubscribe()
  }
}
