import { once } from 'node:events'
import { images } from '../../test/support/openai/images.ts'
import {
  completedEvent,
  partialEvent,
  type StreamEvent,
} from '../../test/support/openai/provider-responses.ts'
import { startFakeProvider } from '../../test/support/openai/provider.ts'
import { eventually } from './browser.ts'

export { images }

/** Generation at the fake provider, controlled by the test. */
export interface ProviderJob {
  readonly prompt: string
  preview(bytes: Uint8Array): void
  finish(): void
  /** Fails with a moderation error. */
  block(): void
  /** Resolves when the client has disconnected. */
  readonly disconnected: Promise<unknown>
}

/** Fake provider on loopback, whose generations the test controls. */
export interface Provider {
  /** Environment of a server that uses this provider. */
  readonly env: Record<string, string>
  /** Waits for the first, or the given, request for a prompt. */
  waitForRequest(prompt: string, times?: number): Promise<ProviderJob>
  /** Number of requests for a prompt. */
  requestCount(prompt: string): number
  /** True to finish new generations immediately; false by default. */
  finishesAtOnce: boolean
  stop(): Promise<void>
}

/** Starts a fake provider; the caller stops it. */
export async function startProvider(): Promise<Provider> {
  const jobs: ProviderJob[] = []
  let finishesAtOnce = false
  const provider = await startFakeProvider(({ request, response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    const send = (event: StreamEvent) =>
      response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
    let previews = 0
    const job: ProviderJob = {
      prompt: String(request.body['prompt']),
      preview: (bytes) => send(partialEvent(bytes, previews++)),
      finish() {
        send(completedEvent(images.signed))
        response.end()
      },
      block() {
        send({ type: 'error', error: { code: 'moderation_blocked', message: 'Your request was rejected.' } })
        response.end()
      },
      disconnected: once(response, 'close'),
    }
    jobs.push(job)
    if (finishesAtOnce) job.finish()
  })
  const jobsOf = (prompt: string) => jobs.filter((job) => job.prompt === prompt)

  return {
    env: { IMAGE_ENGINE: 'openai', OPENAI_BASE_URL: provider.url, OPENAI_IMAGE_MODEL: 'gpt-image-2' },
    async waitForRequest(prompt, times = 1) {
      await eventually(() => jobsOf(prompt).length).toBeGreaterThanOrEqual(times)
      const job = jobsOf(prompt)[times - 1]
      if (!job) throw new Error(`No request for "${prompt}".`)
      return job
    },
    requestCount: (prompt) => jobsOf(prompt).length,
    get finishesAtOnce() {
      return finishesAtOnce
    },
    set finishesAtOnce(value) {
      finishesAtOnce = value
    },
    stop: provider.stop,
  }
}
