import { setTimeout } from 'node:timers/promises'
import { APIError, type OpenAI } from 'openai'
import type { ImageGenerateParamsBase } from 'openai/resources/images'
import type { Logger } from 'pino'
import type { EngineError } from '../engine-error.ts'
import { readError, toEngineError, type ErrorBody } from './engine-errors.ts'
import type { Endpoint } from './openai-client.ts'

/** Name of a parameter that may be left out of a request. */
export type OptionalParameter = keyof typeof openAiParameters | keyof typeof compatibleParameters

/** Parameters for OpenAI's models. Their `auto` quality is the most expensive one; two previews cost little. */
const openAiParameters = {
  n: 1,
  size: '1024x1024',
  output_format: 'jpeg',
  quality: 'medium',
  moderation: 'auto',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase>

/** Parameters for other models, whose servers often respond with a URL by default. */
const compatibleParameters = {
  n: 1,
  size: '1024x1024',
  output_format: 'jpeg',
  response_format: 'b64_json',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase>

/**
 * Duration for which a rejected parameter is left out. Sending it again costs one rejected request, which generates no
 * image; never sending it again would preserve a misread error, or ignore an update of the server.
 */
const rejectionTtlMs = 60 * 60 * 1_000

/** Parameters of an endpoint, without those that it rejected within the last hour. */
export interface RequestParameters {
  /** Creates a request for an image, without the parameters in `except`. */
  readonly request: (prompt: string, except?: ReadonlySet<OptionalParameter>) => ImageGenerateParamsBase
  /** Leaves a parameter out for an hour. */
  readonly drop: (name: OptionalParameter) => void
}

/** Creates the parameters of an endpoint. OpenAI's models are recognized by name behind any gateway. */
export function createRequestParameters(endpoint: Endpoint, model: string): RequestParameters {
  const isOpenAiModel = endpoint.isOpenAi || /(^|\/)(chatgpt|gpt)-image/.test(model)
  const all: Partial<ImageGenerateParamsBase> = isOpenAiModel ? openAiParameters : compatibleParameters
  const droppedAt = new Map<OptionalParameter, number>()

  function isDropped(name: OptionalParameter): boolean {
    const since = droppedAt.get(name)
    return since !== undefined && performance.now() - since < rejectionTtlMs
  }

  return {
    request(prompt, except) {
      const parameters = { ...all }
      for (const name of Object.keys(all) as OptionalParameter[]) {
        if (except?.has(name) || isDropped(name)) delete parameters[name]
      }
      // Previews need a stream; requesting them without one is an error.
      if (!parameters.stream) delete parameters.partial_images
      return { model, prompt, ...parameters }
    },
    drop: (name) => void droppedAt.set(name, performance.now()),
  }
}

/** Maximum total delay of one generation due to rate limits, and maximum number of delays. */
const maxTotalDelayMs = 60_000
const maxDelays = 5
const minDelayMs = 50

/** Dependencies for sending requests to one endpoint. */
export interface Sender {
  readonly client: OpenAI
  readonly parameters: RequestParameters
  readonly log: Logger
}

/** Successful response; its body has not been read. */
interface AcceptedRequest {
  readonly response: Response
  /** True if a stream was requested. */
  readonly isStreamRequested: boolean
}

/**
 * Requests one image. Sends a request again only if the first was certainly rejected, so that no image is paid for twice:
 * without a rejected parameter, or after the delay of a rate limit.
 *
 * @throws EngineError
 */
export async function sendRequest(
  sender: Sender,
  prompt: string,
  signal: AbortSignal,
): Promise<AcceptedRequest> {
  const { client, parameters, log } = sender
  const delays: number[] = []
  const except = new Set<OptionalParameter>()
  for (;;) {
    const request = parameters.request(prompt, except)
    try {
      const response = await client.images.generate(request, { signal }).asResponse()
      return { response, isStreamRequested: request.stream === true }
    } catch (thrown) {
      signal.throwIfAborted()
      const error = toEngineError(thrown)
      const rejected = findRejected(request, error, thrown)
      for (const { name, isCertain } of rejected) {
        except.add(name)
        if (isCertain) parameters.drop(name)
        log.info(
          { parameter: name, forAnHour: isCertain },
          'the image service rejects a parameter; leaving it out',
        )
      }
      if (rejected.length > 0) continue
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

function findRejected(
  sent: ImageGenerateParamsBase,
  error: EngineError,
  thrown: unknown,
): RejectedParameter[] {
  if (!(thrown instanceof APIError) || (thrown.status !== 400 && thrown.status !== 422)) return []
  // Blocked prompts and accounts without credit may also be a 400, with any message.
  return error.code === 'engine_failed' ? rejectedParameters(readError(thrown.error), sent) : []
}

/** Parameter that an error reports as rejected. */
interface RejectedParameter {
  readonly name: OptionalParameter
  /** False if only the message names it and the prompt does too, which the message may quote. */
  readonly isCertain: boolean
}

/**
 * Finds the parameters that an error rejects: those named in `param`, or else in the message. Words that the message
 * quotes from the prompt do not count.
 */
function rejectedParameters(error: ErrorBody, sent: ImageGenerateParamsBase): RejectedParameter[] {
  const param = error.param ?? ''
  const inParam = findNames(param, sent)
  if (inParam.length > 0) return inParam.map((name) => ({ name, isCertain: true }))
  if (requiredParameter.test(param)) return []
  const prompt = fold(sent.prompt)
  const message = withoutQuote(fold(error.message ?? ''), prompt)
  if (!rejectionWords.test(message)) return []
  return findNames(message, sent).map((name) => ({ name, isCertain: !isInPrompt(name, prompt) }))
}

/** Patterns for the names of parameters in errors. */
const names: Record<OptionalParameter, RegExp> = {
  n: word('n'),
  size: word('size'),
  output_format: word('output_format'),
  response_format: word('response_format'),
  quality: word('quality'),
  moderation: word('moderation'),
  stream: word('stream(ing)?'),
  partial_images: word('partial_images'),
}

/** Pattern for required parameters, which cannot be left out. */
const requiredParameter = word('(prompt|model)')

/** Wording of servers that do not name the rejected parameter in `param`. */
const rejectionWords =
  /\bun(known|supported|recognized|expected)|\b(not|n't) (be )?(support|allow|permit|implement)|\bextra (inputs|fields)|\binvalid/i

/** Minimum length of a quoted prompt in UTF-16 code units: a shorter one, such as "size", may occur in any message. */
const quoteMinLength = 20

function findNames(text: string, sent: ImageGenerateParamsBase): OptionalParameter[] {
  return Object.entries(names).flatMap(([name, pattern]) =>
    name in sent && pattern.test(text) ? [name as OptionalParameter] : [],
  )
}

function withoutQuote(message: string, prompt: string): string {
  return prompt.length < quoteMinLength ? message : message.replaceAll(prompt, ' ')
}

/** Matches parts of words, because a quote may be cut off. Only `n`, a part of almost any prompt, must be a whole word. */
function isInPrompt(name: OptionalParameter, prompt: string): boolean {
  return name === 'n' ? names.n.test(prompt) : prompt.includes(name)
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
