import { setTimeout } from 'node:timers/promises'
import { APIError, type OpenAI } from 'openai'
import type { ImageGenerateParamsBase } from 'openai/resources/images'
import type { Logger } from 'pino'
import { readError, toEngineError, type EngineError, type ErrorBody } from './engine-errors.ts'
import type { Endpoint } from './openai-client.ts'

/** A parameter that a request can do without. */
export type OptionalParameter = keyof typeof openAiParameters | keyof typeof compatibleParameters

/** Sent to OpenAI's own models. Their `auto` quality is the most expensive one; two previews cost little. */
const openAiParameters = {
  n: 1,
  size: '1024x1024',
  output_format: 'jpeg',
  quality: 'medium',
  moderation: 'auto',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase>

/** Sent to the models of other servers, many of which would respond with a URL. */
const compatibleParameters = {
  n: 1,
  size: '1024x1024',
  output_format: 'jpeg',
  response_format: 'b64_json',
  stream: true,
  partial_images: 2,
} as const satisfies Partial<ImageGenerateParamsBase>

/**
 * Time for which a refused parameter is left out. Sending it again costs one refused request, for which no image is
 * generated; never sending it again would keep a mistake, or the state of a server that has been updated since.
 */
const rejectionTtlMs = 60 * 60 * 1_000

/** The parameters of an endpoint, without those that it refused within the last hour. */
export interface RequestParameters {
  /** Builds a request for an image, also without the parameters in `except`. */
  readonly request: (prompt: string, except?: ReadonlySet<OptionalParameter>) => ImageGenerateParamsBase
  /** Leaves a parameter out for an hour. */
  readonly drop: (name: OptionalParameter) => void
}

/** Creates the parameters of an endpoint. OpenAI's models are recognised by name behind any gateway. */
export function createRequestParameters(endpoint: Endpoint, model: string): RequestParameters {
  const isOpenAiModel = endpoint.isOpenAi || /(^|\/)(chatgpt|gpt)-image/.test(model)
  const all: Partial<ImageGenerateParamsBase> = isOpenAiModel ? openAiParameters : compatibleParameters
  const droppedAt = new Map<OptionalParameter, number>()

  function isDropped(name: OptionalParameter): boolean {
    const at = droppedAt.get(name)
    return at !== undefined && performance.now() - at < rejectionTtlMs
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

// The server of stable-diffusion.cpp reads JSON between these tags as parameters that override those of the request.
const parameterTags = /<sd_cpp_extra_args>.*?(?:<\/sd_cpp_extra_args>|$)/gis

/**
 * Removes what a server would read as parameters. A space replaces it, so that the text around it cannot form a new tag.
 *
 * LocalAI's `|`, which starts a negative prompt, stays: it affects only the image, and other servers treat it as text.
 */
export function cleanPrompt(prompt: string): string {
  return prompt.replace(parameterTags, ' ').trim()
}

/** Maximum total delay of one generation for rate limits, and how often it waits. */
const maxTotalDelayMs = 60_000
const maxDelays = 5
const minDelayMs = 50

/** The means of sending requests to one endpoint. */
export interface Sender {
  readonly client: OpenAI
  readonly parameters: RequestParameters
  readonly log: Logger
}

/** A successful response with its body unread. */
interface AcceptedRequest {
  readonly response: Response
  /** True where a stream was requested. */
  readonly streamed: boolean
}

/**
 * Requests one image. Sends a request again only where the first was surely not accepted, so that no image is paid for
 * twice: without a refused parameter, and after the delay that a rate limit asks for.
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
      return { response, streamed: request.stream === true }
    } catch (thrown) {
      signal.throwIfAborted()
      const error = toEngineError(thrown)
      const refused = findRejected(request, error, thrown)
      for (const { name, isCertain } of refused) {
        except.add(name)
        if (isCertain) parameters.drop(name)
        log.info({ parameter: name, forAnHour: isCertain }, 'the image service refuses a parameter; left out')
      }
      if (refused.length > 0) continue
      const delayMs = nextDelay(error, delays)
      if (delayMs === null) throw error
      log.warn({ milliseconds: delayMs }, 'the image service asks to wait')
      delays.push(delayMs)
      await setTimeout(delayMs, undefined, { signal })
    }
  }
}

/** Returns the delay in milliseconds after which to send the same request again; null to give up. */
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
  // A blocked prompt or an account without credit may also be a 400, with a message that mentions anything.
  return error.code === 'engine_failed' ? rejectedParameters(readError(thrown.error), sent) : []
}

/** A parameter that an error says is not accepted. */
interface RejectedParameter {
  readonly name: OptionalParameter
  /** False where only the message names it and the prompt does too: the message may be quoting the prompt. */
  readonly isCertain: boolean
}

/**
 * Finds the parameters sent that an error refuses: those named in `param`, or else in the message. Words that a message
 * repeats from the prompt are a user's and refuse nothing.
 */
function rejectedParameters(error: ErrorBody, sent: ImageGenerateParamsBase): RejectedParameter[] {
  const param = error.param ?? ''
  const inParam = findNames(param, sent)
  if (inParam.length > 0) return inParam.map((name) => ({ name, isCertain: true }))
  if (requiredParameter.test(param)) return []
  const prompt = fold(sent.prompt)
  const message = withoutQuote(fold(error.message ?? ''), prompt)
  if (!refusal.test(message)) return []
  return findNames(message, sent).map((name) => ({ name, isCertain: !isInPrompt(name, prompt) }))
}

/** The names of parameters, as errors write them. */
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

/** The parameters that no request can do without. */
const requiredParameter = word('(prompt|model)')

/** Words of servers that do not name the refused parameter in `param`. */
const refusal =
  /\bun(known|supported|recognized|expected)|\b(not|n't) (be )?(support|allow|permit|implement)|\bextra (inputs|fields)|\binvalid/i

/** Length in UTF-16 code units below which a prompt such as "size" is no quote, but a word that any message may have. */
const quoteMinLength = 20

function findNames(text: string, sent: ImageGenerateParamsBase): OptionalParameter[] {
  return Object.entries(names).flatMap(([name, pattern]) =>
    name in sent && pattern.test(text) ? [name as OptionalParameter] : [],
  )
}

function withoutQuote(message: string, prompt: string): string {
  return prompt.length < quoteMinLength ? message : message.replaceAll(prompt, ' ')
}

/** A quote may be cut within a word. Only `n`, which almost any prompt contains, has to be a word of its own. */
function isInPrompt(name: OptionalParameter, prompt: string): boolean {
  return name === 'n' ? names.n.test(prompt) : prompt.includes(name)
}

/** Removes the differences that a server may make when it quotes a text. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
}

/** Matches a whole word, which the rest of an escape sequence such as `\n` is not. */
function word(pattern: string): RegExp {
  return new RegExp(`(?<![\\w\\\\-])${pattern}(?![\\w-])`, 'i')
}
