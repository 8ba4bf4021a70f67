import type { IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ProviderError } from './provider-errors.ts'

/**
 * Duration for which a rejected parameter is left out. Sending it again costs one rejected request, which generates no
 * image; never sending it again would preserve a misread error, or ignore an update of the server.
 */
const rejectionTtlMs = 60 * 60 * 1_000

/** Parameters that one route of an endpoint rejected within the last hour: names, or names with a value. */
export class RejectedParameters {
  readonly #rejectedAt = new Map<string, number>()

  /** Leaves a parameter out for an hour. */
  add(key: string): void {
    this.#rejectedAt.set(key, performance.now())
  }

  has(key: string): boolean {
    return performance.now() - (this.#rejectedAt.get(key) ?? -Infinity) < rejectionTtlMs
  }
}

/** Maximum total delay of one generation due to rate limits, and maximum number of delays. */
const maxTotalDelayMs = 60_000
const maxDelays = 5
const minDelayMs = 50

interface ImageRequest<Parameters> {
  readonly prompt: string
  /** Chooses the optional parameters, without those for which `isRejected` returns true. */
  readonly choose: (isRejected: (name: string, value?: unknown) => boolean) => Parameters
  /** Parameters whose rejection says nothing about their other values. */
  readonly byValue: readonly string[]
  readonly rejected: RejectedParameters
  readonly send: (parameters: Parameters) => Promise<IncomingMessage>
  readonly log: Logger
}

/** Successful response, whose body has not been read, and the optional parameters of its request. */
export interface AcceptedRequest<Parameters> {
  readonly response: IncomingMessage
  readonly parameters: Parameters
}

/**
 * Requests one image. Sends a request again only if the first was certainly rejected, so that no image is paid for twice:
 * without a rejected parameter, or after the delay of a rate limit.
 *
 * @throws the error of `send`
 */
export async function sendRequest<Parameters extends object>(
  { prompt, choose, byValue, rejected, send, log }: ImageRequest<Parameters>,
  signal: AbortSignal,
): Promise<AcceptedRequest<Parameters>> {
  const delays: number[] = []
  const except = new Set<string>()
  const keyOf = (name: string, value: unknown) =>
    byValue.includes(name) ? `${name}=${JSON.stringify(value)}` : name
  for (;;) {
    const parameters = choose((name, value) => except.has(name) || rejected.has(keyOf(name, value)))
    try {
      return { response: await send(parameters), parameters }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ProviderError)) throw error
      const values = new Map<string, unknown>(Object.entries(parameters))
      const found = findRejected([...values.keys()], prompt, error).filter(({ name }) => !except.has(name))
      for (const { name, isCertain } of found) {
        except.add(name)
        if (isCertain) rejected.add(keyOf(name, values.get(name)))
        const facts = { parameter: name, forAnHour: isCertain }
        log.info(facts, 'the image service rejects a parameter; leaving it out')
      }
      if (found.length > 0) continue
      const delayMs = nextDelay(error, delays)
      if (delayMs === null) throw error
      log.warn({ milliseconds: delayMs }, 'the image service limits requests; waiting')
      delays.push(delayMs)
      await setTimeout(delayMs, undefined, { signal })
    }
  }
}

/** Returns the delay in milliseconds before the same request is sent again, or null to give up. */
function nextDelay({ code, facts }: ProviderError, delays: readonly number[]): number | null {
  if (code !== 'engine_busy' || facts.status !== 429 || facts.retryAfterMs === undefined) return null
  const delayMs = Math.max(minDelayMs, facts.retryAfterMs)
  const total = delays.reduce((sum, one) => sum + one, 0)
  return delays.length < maxDelays && total + delayMs <= maxTotalDelayMs ? delayMs : null
}

/**
 * Finds the parameters that an error rejects: those named in `param`, or else in the message, which may quote the prompt.
 *
 * @param names of the optional parameters that were sent
 * @returns `isCertain` is false if only the message names it and the prompt does too
 */
function findRejected(
  names: readonly string[],
  prompt: string,
  { code, body: { param = '', message = '' }, facts: { status } }: ProviderError,
) {
  // OpenRouter's response for a model that generates images only, with which it rejects text.
  const rejectsText = names.includes('modalities') && /\boutput modalities\b/i.test(message)
  if (status === 404) return rejectsText ? [{ name: 'modalities.text', isCertain: true }] : []
  // Blocked prompts and accounts without credit may also be a 400, with any message.
  if ((status !== 400 && status !== 422) || code !== 'engine_failed') return []
  const inParam = findNames(param, names)
  if (inParam.length > 0) return inParam.map((name) => ({ name, isCertain: true }))
  if (requiredParameter.test(param)) return []
  if (!rejectionWords.test(message)) return []
  // A server may quote it normalized.
  const quotable = prompt
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
  // Parts of words count, because a quote may be cut off. Only `n`, a part of almost any prompt, must be a whole word.
  const isInPrompt = (name: string) => (name === 'n' ? word('n').test(quotable) : quotable.includes(name))
  return findNames(message, names).map((name) => ({ name, isCertain: !isInPrompt(name) }))
}

/** Pattern for required parameters, which cannot be left out. */
const requiredParameter = word('(prompt|model|messages|image|mask)')

/** Wording of servers that do not name the rejected parameter in `param`. */
const rejectionWords =
  /\bun(known|supported|recognized|expected)|\b(not|n't) (be )?(support|allow|permit|implement)|\bextra (inputs|fields)|\binvalid/i

function findNames(text: string, names: readonly string[]): string[] {
  return names.filter((name) => word(name === 'stream' ? 'stream(ing)?' : name).test(text))
}

/** Creates a pattern for a whole word; the `n` of an escape sequence such as `\n` does not match. */
function word(pattern: string): RegExp {
  return new RegExp(`(?<![\\w\\\\-])${pattern}(?![\\w-])`, 'i')
}
