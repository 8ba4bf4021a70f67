import { once } from 'node:events'
import { images } from '../../test/support/openai/images.ts'
import {
  completedEvent,
  partialEvent,
  type StreamEvent,
} from '../../test/support/openai/provider-responses.ts'
import { startFakeProvider, type Exchange } from '../../test/support/openai/provider.ts'
import { eventually } from './browser.ts'

export { images }

/** Fake provider on loopback, whose generations the test controls. */
export type Provider = Awaited<ReturnType<typeof startProvider>>

/** Starts a fake provider; the caller stops it. */
export async function startProvider() {
  const jobs: ReturnType<typeof startJob>[] = []
  let finishesAtOnce = false
  const provider = await startFakeProvider((exchange) => {
    const job = startJob(exchange)
    jobs.push(job)
    if (finishesAtOnce) job.finish()
  })
  const jobsOf = (prompt: string) => jobs.filter((job) => job.prompt === prompt)

  return {
    /** Environment of a server that uses this provider. */
    env: { IMAGE_ENGINE: 'openai', OPENAI_BASE_URL: provider.url, OPENAI_IMAGE_MODEL: 'gpt-image-2' },
    /** Waits for the first, or the given, request for a prompt. */
    async waitForRequest(prompt: string, times = 1) {
      await eventually(() => jobsOf(prompt).length).toBeGreaterThanOrEqual(times)
      const job = jobsOf(prompt)[times - 1]
      if (!job) throw new Error(`No request for "${prompt}".`)
      return job
    },
    /** Number of requests for a prompt. */
    requestCount: (prompt: string) => jobsOf(prompt).length,
    /** True to finish new generations immediately; false by default. */
    get finishesAtOnce() {
      return finishesAtOnce
    },
    set finishesAtOnce(value) {
      finishesAtOnce = value
    },
    stop: provider.stop,
  }
}

/** Begins the response to a request for an image, which the test controls. */
function startJob({ request, response }: Exchange) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  const send = (event: StreamEvent) =>
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  let previews = 0
  return {
    prompt: String(request.body['prompt']),
    preview: (bytes: Uint8Array) => void send(partialEvent(bytes, previews++)),
    finish() {
      send(completedEvent(images.signed))
      response.end()
    },
    /** Fails with a moderation error. */
    block() {
      send({ type: 'error', error: { code: 'moderation_blocked', message: 'Your request was rejected.' } })
      response.end()
    },
    /** Resolves when the client has disconnected. */
    disconnected: once(response, 'close'),
  }
}
