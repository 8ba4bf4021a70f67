import { setTimeout } from 'node:timers/promises'
import { APIError, type OpenAI } from 'openai'
import type { ImageGenerateParamsBase } from 'openai/resources/images'
import type { Logger } from 'pino'
import { faultOf } from './describe-fault.ts'
import type { EngineFault } from './engine-fault.ts'
import { readError } from './error-body.ts'
import { refusedParameters } from './refused-parameters.ts'
import type { RequestParameters } from './request-parameters.ts'

/** How long one generation waits for its turn at the provider, all in all, and how often. */
const maxWait = 60_000
const maxWaits = 5
const minWait = 50

/** What requests are sent with. */
export interface Sender {
  readonly client: OpenAI
  readonly parameters: RequestParameters
  readonly log: Logger
}

/** An answer that says 200, its body still to be read. */
export interface Accepted {
  readonly response: Response
  /** Whether a stream was asked for. */
  readonly streamed: boolean
}

/**
 * Asks for one picture. It asks again only where the request surely was not accepted, so that nobody pays twice:
 * without a parameter that was refused, and after the wait that a rate limit asks for.
 *
 * @throws EngineFault
 */
export async function sendRequest(sender: Sender, prompt: string, signal: AbortSignal): Promise<Accepted> {
  const { client, parameters, log } = sender
  const waits: number[] = []
  for (;;) {
    const request = parameters.request(prompt)
    try {
      const response = await client.images.generate(request, { signal }).asResponse()
      return { response, streamed: request.stream === true }
    } catch (thrown) {
      signal.throwIfAborted()
      const fault = faultOf(thrown)
      if (dropRefused(sender, request, fault, thrown)) continue
      const wait = nextWait(fault, waits)
      if (wait === null) throw fault
      log.warn({ milliseconds: wait }, 'the image service asks to wait')
      waits.push(wait)
      await setTimeout(wait, undefined, { signal })
    }
  }
}

/** Leaves out what an error refuses; false where it refuses nothing that can be left out. */
function dropRefused(
  sender: Sender,
  sent: ImageGenerateParamsBase,
  fault: EngineFault,
  thrown: unknown,
): boolean {
  if (!(thrown instanceof APIError) || (thrown.status !== 400 && thrown.status !== 422)) return false
  // A blocked prompt or an account without credit may also come as a 400, in words that mention anything.
  const refused = fault.code === 'engine_failed' ? refusedParameters(readError(thrown.error), sent) : []
  for (const name of refused) sender.parameters.drop(name)
  if (refused.length > 0)
    sender.log.info({ refused }, 'the image service refuses parameters; left out from now on')
  return refused.length > 0
}

/** The wait before the same request may be sent again; null where it is too long or nothing promises that it helps. */
function nextWait({ code, facts }: EngineFault, waits: readonly number[]): number | null {
  if (code !== 'engine_busy' || facts.status !== 429 || facts.retryAfter === undefined) return null
  const wait = Math.max(minWait, facts.retryAfter)
  const waited = waits.reduce((sum, one) => sum + one, 0)
  return waits.length < maxWaits && waited + wait <= maxWait ? wait : null
}
