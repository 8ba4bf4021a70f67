import { setTimeout } from 'node:timers/promises'
import { APIError } from 'openai'
import type { Logger } from 'pino'
import type { EngineError } from '../engine-error.ts'
import { type ErrorBody, readError, toEngineError } from './provider-errors.ts'

/**
 * Duration for which a rejected parameter is left out. Sending it again costs one rejected request, which generates no
 * image; never sending it again would preserve a misread error, or ignore an update of the server.
 */
const rejectionTtlMs = 60 * 60 * 1_000

/** Parameters that one route of an endpoint rejected within the last hour. */
export class RejectedParameters {
  readonly #rejectedAt = new Map<string, number>()

  /**
   * Leaves a parameter out for an hour.
   *
   * @param value undefined: with any value
   */
  add(name: string, value?: unknown): void {
    this.#rejectedAt.set(keyOf(name, value), performance.now())
  }

  has(name: string, value?: unknown): boolean {
    const since = this.#rejectedAt.get(keyOf(name, value))
    return since !== undefined && performance.now() - since < rejectionTtlMs
  }
}

function keyOf(name: string, value: unknown): string {
  return value === undefined ? name : `${name}=${JSON.stringify(value)}`
}

/** Maximum total delay of one generation due to rate limits, and maximum number of delays. */
const maxTotalDelayMs = 60_000
const maxDelays = 5
const minDelayMs = 50

/** Reports whether a parameter is to be left out. */
export type IsRejected = (name: string, value?: unknown) => boolean

/** Request for one image. */
interface ImageRequest<Parameters> {
  readonly prompt: string
  /** Chooses the optional parameters, without those for which `isRejected` returns true. */
  readonly choose: (isRejected: IsRejected) => Parameters
  /** Parameters whose rejection says nothing about their other values. */
  readonly byValue: readonly string[]
  readonly rejected: RejectedParameters
  /** Sends a request with the SDK, whose errors it does not convert. */
  readonly send: (parameters: Parameters) => Promise<Response>
  readonly log: Logger
}

/** Successful response, whose body has not been read, and the optional parameters of its request. */
export interface AcceptedRequest<Parameters> {
  readonly response: Response
  readonly parameters: Parameters
}

/**
 * Requests one image. Sends a request again only if the first was certainly rejected, so that no image is paid for twice:
 * without a rejected parameter, or after the delay of a rate limit.
 *
 * @throws EngineError
 */
export async function sendRequest<Parameters extends object>(
  { prompt, choose, byValue, rejected, send, log }: ImageRequest<Parameters>,
  signal: AbortSignal,
): Promise<AcceptedRequest<Parameters>> {
  const delays: number[] = []
  const except = new Set<string>()
  const rememberedValue = (name: string, value: unknown) => (byValue.includes(name) ? value : undefined)
  for (;;) {
    const parameters = choose(
      (name, value) => except.has(name) || rejected.has(name, rememberedValue(name, value)),
    )
    try {
      return { response: await send(parameters), parameters }
    } catch (thrown) {
      signal.throwIfAborted()
      const error = toEngineError(thrown)
      const values = new Map<string, unknown>(Object.entries(parameters))
      const names = [...values.keys()]
      const found = findRejected({ names, prompt }, error, thrown).filter(({ name }) => !except.has(name))
      for (const { name, isCertain } of found) {
        except.add(name)
        if (isCertain) rejected.add(name, rememberedValue(name, values.get(name)))
        log.info(
          { parameter: name, forAnHour: isCertain },
          'the image service rejects a parameter; leaving it out',
        )
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
function nextDelay({ code, facts }: EngineError, delays: readonly number[]): number | null {
  if (code !== 'engine_busy' || facts.status !== 429 || facts.retryAfterMs === undefined) return null
  const delayMs = Math.max(minDelayMs, facts.retryAfterMs)
  const total = delays.reduce((sum, one) => sum + one, 0)
  return delays.length < maxDelays && total + delayMs <= maxTotalDelayMs ? delayMs : null
}

/** Names of the optional parameters of a request, and its prompt. */
interface SentRequest {
  readonly names: readonly string[]
  readonly prompt: string
}

/** Parameter that an error reports as rejected. */
interface RejectedParameter {
  readonly name: string
  /** False if only the message names it and the prompt does too, which the message may quote. */
  readonly isCertain: boolean
}

function findRejected(sent: SentRequest, error: EngineError, thrown: unknown): RejectedParameter[] {
  if (!(thrown instanceof APIError)) return []
  const body = readError(thrown.error)
  if (thrown.status === 404) return findRejectedModalities(sent, body)
  // Blocked prompts and accounts without credit may also be a 400, with any message.
  const isRejection = (thrown.status === 400 || thrown.status === 422) && error.code === 'engine_failed'
  return isRejection ? rejectedParameters(body, sent) : []
}

/** Recognizes OpenRouter's response for a model that generates images only, with which it rejects text. */
function findRejectedModalities({ names }: SentRequest, { message = '' }: ErrorBody): RejectedParameter[] {
  const isRejected = names.includes('modalities') && /\boutput modalities\b/i.test(message)
  return isRejected ? [{ name: 'modalities.text', isCertain: true }] : []
}

/**
 * Finds the parameters that an error rejects: those named in `param`, or else in the message. Words that the message
 * quotes from the prompt do not count.
 */
function rejectedParameters(error: ErrorBody, sent: SentRequest): RejectedParameter[] {
  const param = error.param ?? ''
  const inParam = findNames(param, sent.names)
  if (inParam.length > 0) return inParam.map((name) => ({ name, isCertain: true }))
  if (requiredParameter.test(param)) return []
  const prompt = fold(sent.prompt)
  const message = withoutQuote(fold(error.message ?? ''), prompt)
  if (!rejectionWords.test(message)) return []
  return findNames(message, sent.names).map((name) => ({ name, isCertain: !isInPrompt(name, prompt) }))
}

/** Pattern for required parameters, which cannot be left out. */
const requiredParameter = word('(prompt|model|messages|image|mask)')

/** Wording of servers that do not name the rejected parameter in `param`. */
const rejectionWords =
  /\bun(known|supported|recognized|expected)|\b(not|n't) (be )?(support|allow|permit|implement)|\bextra (inputs|fields)|\binvalid/i

/** Minimum length of a quoted prompt in UTF-16 code units: a shorter one, such as "size", may occur in any message. */
const quoteMinLength = 20

function findNames(text: string, names: readonly string[]): string[] {
  return names.filter((name) => word(name === 'stream' ? 'stream(ing)?' : name).test(text))
}

function withoutQuote(message: string, prompt: string): string {
  return prompt.length < quoteMinLength ? message : message.replaceAll(prompt, ' ')
}

/** Matches parts of words, because a quote may be cut off. Only `n`, a part of almost any prompt, must be a whole word. */
function isInPrompt(name: string, prompt: string): boolean {
  return name === 'n' ? word('n').test(prompt) : prompt.includes(name)
}

/** Normalizes the differences that a server may introduce when it quotes a text. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
}

/** Creates a pattern for a whole word; the `n` of an escape sequence such as `\n` does not match. */
function word(pattern: string): RegExp {
  return new RegExp(`(?<![\\w\\\\-])${pattern}(?![\\w-])`, 'i')
}
