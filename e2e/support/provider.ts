import { once } from 'node:events'
import {
  completedEvent,
  partialEvent,
  type StreamEvent,
} from '../../test/support/openai/provider-responses.ts'
import { startFakeProvider } from '../../test/support/openai/provider.ts'
import { images } from '../../test/support/openai/images.ts'
import { eventually } from './expectations.ts'

export { images }

/** An image that the provider was asked for, to go on as the test says. */
export interface ProviderJob {
  readonly prompt: string
  preview(bytes: Uint8Array): void
  finish(): void
  /** Ends as a provider's moderation ends it. */
  block(): void
  /** When nobody listens any more. */
  readonly left: Promise<unknown>
}

/** A provider on loopback whose images come as the test says, or at once. */
export interface Provider {
  /** What a server needs to make its images there. */
  readonly env: Record<string, string>
  /** The job of a prompt, as soon as the provider is asked for it, or asked for it so many times. */
  asked(prompt: string, times?: number): Promise<ProviderJob>
  /** How often it was asked for a prompt. */
  timesAsked(prompt: string): number
  /** From now on images come at once, or, again, by hand. */
  atOnce: boolean
  stop(): Promise<void>
}

/** Starts a provider; whoever does so stops it. */
export async function startProvider(): Promise<Provider> {
  const jobs: ProviderJob[] = []
  let atOnce = false
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
      left: once(response, 'close'),
    }
    jobs.push(job)
    if (atOnce) job.finish()
  })
  const jobsOf = (prompt: string) => jobs.filter((job) => job.prompt === prompt)

  return {
    env: { IMAGE_ENGINE: 'openai', OPENAI_BASE_URL: provider.url, OPENAI_IMAGE_MODEL: 'gpt-image-2' },
    async asked(prompt, times = 1) {
      await eventually(() => jobsOf(prompt).length).toBeGreaterThanOrEqual(times)
      const job = jobsOf(prompt)[times - 1]
      if (!job) throw new Error('The provider lost a job.')
      return job
    },
    timesAsked: (prompt) => jobsOf(prompt).length,
    get atOnce() {
      return atOnce
    },
    set atOnce(value) {
      atOnce = value
    },
    stop: provider.stop,
  }
}
