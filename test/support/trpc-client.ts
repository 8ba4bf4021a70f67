import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  splitLink,
} from '@trpc/client'
import { EventSource } from 'eventsource'
import { expect } from 'vitest'
import { watchImages } from '../../server/client-package/rangoli-client.ts'
import type { AppRouter } from '../../server/trpc/router.ts'
import { errors, type ErrorCode, type FailureData } from '../../shared/errors.ts'
import {
  isFinished,
  isSucceeded,
  type ImageEvent,
  type ImageState,
  type SucceededImage,
} from '../../shared/images.ts'

export type TestClient = ReturnType<typeof createTestClient>

/**
 * Creates a typed client that sends `headers` with calls and subscriptions. It gets the results of a batch at once, which
 * takes little more than half the CPU time of a stream of results. Those are tested by the client package and in browsers.
 */
export function createTestClient(
  siteUrl: string,
  headers: () => Record<string, string> = () => ({}),
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response> = globalThis.fetch,
) {
  const url = `${siteUrl}/trpc`
  const send = (address: string | URL | Request, init?: object) => fetch(address, init)
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: {
            fetch: (address, init) => fetch(address, { ...init, headers: { ...init.headers, ...headers() } }),
          },
        }),
        false: splitLink({
          condition: ({ input }) => isNonJsonSerializable(input),
          true: httpLink({ url, headers, fetch: send }),
          false: httpBatchLink({ url, headers, fetch: send }),
        }),
      }),
    ],
  })
}

/** Generates an image and waits for it. */
export async function generateImage(client: TestClient, prompt: string): Promise<SucceededImage> {
  const { ended } = follow(client, { prompt })
  return ended
}

/** Image whose generation failed, as an error. */
export class GenerationError extends Error {
  readonly data: Pick<FailureData, 'reason' | 'httpStatus' | 'retryAfter'>

  /**
   * @param reason code of the failure, or `canceled`
   * @param detail message of the failure; null for that of the code
   */
  constructor(reason: ErrorCode, detail: string | null, retryAfter: number | undefined) {
    super(detail ?? errors[reason].message)
    const httpStatus = errors[reason].status
    this.data = { reason, httpStatus, ...(retryAfter !== undefined && { retryAfter }) }
  }
}

/** New generation, or existing image. */
type Target = Parameters<TestClient['images']['generate']['mutate']>[0] | { readonly id: string }

/** Starts a generation, or joins an existing one, and collects its events. */
export function follow(client: TestClient, target: Target, signal?: AbortSignal) {
  const events: ImageEvent[] = []

  async function start(): Promise<string> {
    if ('id' in target) return target.id
    const { images } = await client.images.generate.mutate(target)
    return images[0]?.id ?? ''
  }
  const id = start()

  async function read(): Promise<SucceededImage> {
    for await (const event of watchImages(client, [await id], { signal })) {
      events.push(event)
      if (event.type !== 'state' || !isFinished(event.image.state)) continue
      if (isSucceeded(event.image)) return event.image
      const { failure, failureDetail } = event.image
      throw new GenerationError(failure ?? 'canceled', failureDetail, event.retryAfter)
    }
    throw new Error('The subscription ended without a final state.')
  }
  const ended = read()
  // Avoids unhandled rejections in tests that ignore the end.
  for (const promise of [id, ended]) promise.catch(() => {})

  /** Waits for an event with this label, ignoring the first `skip`. */
  async function seen<Label extends EventLabel>(label: Label, skip = 0): Promise<EventOf<Label>> {
    const find = () => events.filter((event) => labelOf(event) === label)[skip] as EventOf<Label> | undefined
    await expect.poll(find, { interval: 5, message: `No event ${label}` }).toBeDefined()
    return find() as EventOf<Label>
  }

  /** Labels of the events so far, without progress. */
  const types = () => events.map(labelOf).filter((label) => label !== 'progress')

  return { id, events, ended, seen, types }
}

type EventLabel = Exclude<ImageEvent['type'], 'state'> | ImageState

type StateEvent = Extract<ImageEvent, { type: 'state' }>
type EventOf<Label extends EventLabel> = Label extends 'succeeded'
  ? StateEvent & { readonly image: SucceededImage }
  : Label extends ImageState
    ? StateEvent
    : Extract<ImageEvent, { type: Label }>

/** Returns the label of an event: its state, or its type. */
function labelOf(event: ImageEvent): EventLabel {
  return event.type === 'state' ? event.image.state : event.type
}
