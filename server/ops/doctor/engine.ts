import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import sharp from 'sharp'
import { errors } from '../../../shared/errors.ts'
import type { Config } from '../../config/config.ts'
import type { EngineConfig, OpenAiEngineConfig } from '../../config/engine-section.ts'
import type { OpenAiSettings } from '../../engines/openai/setting-names.ts'
import { type EngineError, loggableFacts } from '../../engines/engine-error.ts'
import { defaultRequest, type ImageEngine } from '../../engines/image-engine.ts'
import { fixFor } from '../../engines/openai/provider-errors.ts'
import { connect, listModels, parseEndpoint } from '../../engines/openai/openai-client.ts'
import { tryEndpoint, type Trial } from '../../engines/openai/openai-engine.ts'
import { createRangoliEngine } from '../../engines/rangoli/rangoli-engine.ts'
import { AppError } from '../../errors/app-error.ts'
import { sniffFormat } from '../../formats/image-files.ts'
import { capitalize, count, formatBytes, formatSeconds, note, ok, problem, type Line } from './report.ts'

/** Engine of a configuration other than the embedded one and those of the OpenAI API. */
type EngineServerConfig = Exclude<EngineConfig, { readonly kind: 'rangoli' | 'openai' }>

/** Maximum duration of a check, in milliseconds. */
const checkTimeoutMs = 10_000

/** Prompt of test images. */
const prompt = 'A plain blue circle'

export interface EngineCheckOptions {
  /** Asks before something is paid for; null where there is no terminal to ask at. */
  readonly confirm: ((question: string) => Promise<boolean>) | null
  readonly createEngine: (engine: EngineConfig) => Promise<ImageEngine>
}

/** Checks that an engine can generate images; generates one after confirmation, which may cost money. */
export async function checkEngine(
  { imageTimeoutSeconds }: Config,
  config: EngineConfig,
  { confirm, createEngine }: EngineCheckOptions,
): Promise<Line[]> {
  if (config.kind === 'rangoli') return checkRangoli()
  const isOpenAi = config.kind === 'openai'
  const host = isOpenAi ? parseEndpoint(config.baseUrl).host : new URL(config.url).host
  const lines = isOpenAi
    ? await checkEndpoint(config)
    : await checkEngineServer(config, await createEngine(config))
  if (lines.some(({ level }) => level === 'problem')) {
    return [...lines, note('No image was generated, because of that.')]
  }
  const images = isOpenAi ? `up to ${maxTestImages} images` : 'one image'
  if (await confirm?.(`This generates ${images} at ${host}, which may cost money. [y/N] `)) {
    const generated = isOpenAi
      ? generateTestImage(config, imageTimeoutSeconds)
      : generateImage(config, await createEngine(config), imageTimeoutSeconds)
    return [...lines, ...(await generated)]
  }
  return [
    ...lines,
    note(
      'No image was generated, because that may cost money.',
      `npm run doctor -- --yes generates ${images.replace(/ images?$/, '')}, and checks how.`,
    ),
  ]
}

/** Draws an image with the embedded engine. */
async function checkRangoli(): Promise<Line[]> {
  const lines = [ok('The embedded engine draws the images; it needs no key and no network.')]
  const broken = (reason: string) =>
    problem(`It cannot draw (${reason}).`, 'Install the dependencies again with npm ci, on this machine.')
  const startedAt = performance.now()
  try {
    for await (const event of createRangoliEngine().generate(
      defaultRequest(randomUUID(), 'A lotus'),
      new AbortController().signal,
    )) {
      if (event.type !== 'complete') continue
      const duration = formatSeconds(performance.now() - startedAt)
      const image = await describeImage(event.bytes)
      lines.push(image ? ok(`It drew ${image} in ${duration}.`) : broken('the image is broken'))
    }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    lines.push(broken(cause instanceof Error ? cause.message : String(error)))
  }
  return lines
}

/** Checks that the image service answers, accepts the key and knows the model: all that can be checked without paying. */
export async function checkEndpoint(engine: OpenAiEngineConfig): Promise<Line[]> {
  const { model, apiKey, settings } = engine
  const { host, isOpenAi } = parseEndpoint(engine.baseUrl)
  const lines = [
    ok(
      `${isOpenAi ? 'OpenAI' : host} generates the images, with the model ${model}; ${settings.apiKey} is ${apiKey === null ? 'not set' : 'set'}.`,
    ),
  ]
  const signal = AbortSignal.timeout(checkTimeoutMs)
  const answer = await listModels(connect(engine.baseUrl, apiKey), signal)
  if ('error' in answer) return [...lines, describeListError(answer.error, engine, signal.aborted)]
  const { models } = answer
  if (models === null) return [...lines, note(`${host} answers, but lists no models.`)]
  lines.push(ok(`${host} answers${apiKey === null ? '' : ' and accepts the key'}.`))
  // Ollama adds a tag to names that have none.
  if (models.some((name) => name === model || name === `${model}:latest`)) {
    return [...lines, ok(`It lists the model ${model}.`)]
  }
  const others = models.length === 0 ? '' : `, but ${models.slice(0, 5).join(', ')}`
  return [
    ...lines,
    note(
      `It does not list the model ${model}${others}${models.length > 5 ? ' and others' : ''}.`,
      `If generating fails, set ${settings.model} to one that it has.`,
    ),
  ]
}

function describeListError(error: EngineError, engine: OpenAiEngineConfig, isLate: boolean): Line {
  const { host } = parseEndpoint(engine.baseUrl)
  const { status } = error.facts
  const facts = factsOf(error, engine)
  if (status === undefined) {
    const reason = isLate ? 'no answer in time' : facts || error.message
    return problem(
      `${host} cannot be reached (${reason}).`,
      `Check that it runs, and check ${engine.settings.url}.`,
    )
  }
  if (error.code === 'engine_out_of_credit' || status === 401 || (status >= 300 && status < 400)) {
    return problem(`${host} answered ${facts}.`, fixOf(error, engine.settings))
  }
  if (status >= 500 && status !== 501) {
    return problem(`${host} fails (${facts}).`, 'Read its log, or try again later.')
  }
  return note(`${host} answers, but does not list its models (${facts}); not every server or key may.`)
}

/** Maximum number of images that `generateTestImage` pays for: a stream that ends without its image is retried once. */
const maxTestImages = 2

/** Generates an image as the server would. Costs money at most providers: ask first. */
export async function generateTestImage(engine: OpenAiEngineConfig, timeoutSeconds: number): Promise<Line[]> {
  const { host } = parseEndpoint(engine.baseUrl)
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  const startedAt = performance.now()
  const trial = await tryEndpoint({ ...engine, log: pino({ level: 'silent' }) }, prompt, signal)
  const durationMs = performance.now() - startedAt
  const { image: bytes, error } = trial
  const parameters = describeParameters(trial, engine.model)
  if (signal.aborted) {
    const fix = 'Raise IMAGE_TIMEOUT_SECONDS, or use a faster model.'
    return [...parameters, problem(`${host} generated no image in ${timeoutSeconds} seconds.`, fix)]
  }
  if (error || !bytes) return [...parameters, describeFailure(error, engine)]
  const image = await describeImage(bytes)
  if (!image) {
    const fix = `Read the log of the service, and check ${engine.settings.model}.`
    return [...parameters, problem(`${host} generated a broken image.`, fix)]
  }
  return [
    ok(`${host} generated ${image}, and returned ${trial.form === 'url' ? 'its URL' : 'it as base64'}.`),
    ...(sniffFormat(bytes) === 'jpeg'
      ? []
      : [note('Images that are not JPEG are converted to JPEG, without content credentials.')]),
    durationMs > timeoutSeconds * 500
      ? note(
          `It took ${formatSeconds(durationMs)}, more than half of IMAGE_TIMEOUT_SECONDS.`,
          'Raise it: several images at a time take longer.',
        )
      : ok(`It took ${formatSeconds(durationMs)}.`),
    ...parameters,
    describeStream(trial),
  ]
}

function describeParameters({ rejected, image, error }: Trial, model: string): Line[] {
  const names = rejected.filter((name) => name !== 'stream')
  if (names.length > 0) return [ok(`It does not accept ${names.join(', ')}; the server leaves that out.`)]
  return image && !error ? [ok(`It accepts all parameters that ${model} is sent.`)] : []
}

function describeStream({ rejected, previews }: Trial): Line {
  if (previews > 0) {
    return ok(`It streams: ${previews === 1 ? 'one preview' : `${previews} previews`} came before the image.`)
  }
  const text = rejected.includes('stream') ? 'It does not stream' : 'It sent no preview'
  return note(`${text}: users see nothing before the image is finished.`)
}

function describeFailure(error: EngineError | null, engine: OpenAiEngineConfig): Line {
  const { host } = parseEndpoint(engine.baseUrl)
  if (!error) return problem(`${host} generated no image.`, 'Try again later.')
  const fixes = {
    prompt_blocked: `Its moderation blocked the prompt "${prompt}"; check its settings.`,
    engine_busy: 'It limits requests; try again later, or raise the limit at the provider.',
    engine_timeout: 'Raise the timeout of the service or of a gateway before it.',
    engine_failed: `Read the log of the service, and check ${engine.settings.model}.`,
    engine_out_of_memory: 'Choose a smaller model, or a server with more memory.',
    engine_unavailable: `Check that the service runs, and check ${engine.settings.url}.`,
    engine_misconfigured: fixOf(error, engine.settings),
    engine_out_of_credit: fixOf(error, engine.settings),
  }
  const facts = factsOf(error, engine)
  const reason = `${error.message}${facts === '' ? '' : ` (${facts})`}`
  return problem(`${host} generated no image: ${reason}.`, fixes[error.code])
}

/** Status, codes and names of an error that hold no secret. */
function factsOf(error: EngineError, { baseUrl, apiKey }: OpenAiEngineConfig): string {
  const facts = loggableFacts(error, parseEndpoint(baseUrl), apiKey === null ? [] : [apiKey])
  const known = [facts.status, facts.providerCode, facts.param, facts.networkError]
  return known.filter((fact) => fact !== undefined).join(', ')
}

function fixOf(error: EngineError, settings: OpenAiSettings): string {
  const fix = fixFor(error, settings)
  return fix === null ? 'Try again later.' : `${capitalize(fix)}.`
}

const formatNames = { jpeg: 'a JPEG', png: 'a PNG', webp: 'a WebP' }

/** `a JPEG of 1024 × 1024 pixels and 1.6 MB`, or null for a broken image. */
async function describeImage(bytes: Uint8Array): Promise<string | null> {
  const format = sniffFormat(bytes)
  if (!format) return null
  try {
    const { info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    return `${formatNames[format]} of ${info.width} × ${info.height} pixels and ${formatBytes(bytes.length)}`
  } catch {
    // Whatever the decoder says: it cannot be shown.
    return null
  }
}

/** Checks that the server of an engine answers and has the model, free of charge. */
export async function checkEngineServer(config: EngineServerConfig, engine: ImageEngine): Promise<Line[]> {
  const { host } = new URL(config.url)
  const lines = [ok(`${host} generates the images, with ${describeModel(config)}.`)]
  const signal = AbortSignal.timeout(checkTimeoutMs)
  try {
    const { models } = await engine.check(signal)
    const names = models.length === 0 ? '' : ` It has ${listed(models)}.`
    return [...lines, ok(`It can be used.${names}`)]
  } catch (error) {
    if (!signal.aborted) return [...lines, describeError(host, error)]
    const seconds = count(checkTimeoutMs / 1_000, 'second')
    return [
      ...lines,
      problem(`${host} did not answer within ${seconds}.`, 'Check that it runs, and check url.'),
    ]
  }
}

function describeModel(config: EngineServerConfig): string {
  const model = config.model === null ? 'the model that it has loaded' : `the model ${config.model}`
  if (config.kind !== 'comfyui' || config.workflow === null) return model
  return config.model === null ? 'your workflow' : `your workflow and ${model}`
}

/** Generates an image as the server would. Costs money at some providers: ask first. */
export async function generateImage(
  { url }: EngineServerConfig,
  engine: ImageEngine,
  timeoutSeconds: number,
): Promise<Line[]> {
  const { host } = new URL(url)
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  const startedAt = performance.now()
  let previews = 0
  let reports = 0
  try {
    for await (const event of engine.generate(defaultRequest(randomUUID(), prompt), signal)) {
      if (event.type === 'partial') previews += 1
      if (event.type === 'progress') reports += 1
      if (event.type !== 'complete') continue
      const duration = formatSeconds(performance.now() - startedAt)
      const image = await describeImage(event.bytes)
      if (!image) return [problem(`${host} generated a broken image.`, 'Read its log.')]
      return [
        ok(`${host} generated ${image} in ${duration}.`),
        reports + previews === 0
          ? note('It reported no progress: users see nothing before the image is finished.')
          : ok(`It reported its progress ${count(reports, 'time')}, with ${count(previews, 'preview')}.`),
      ]
    }
    return [problem(`${host} generated no image.`, 'Read its log.')]
  } catch (error) {
    if (!signal.aborted) return [describeError(host, error)]
    return [
      problem(
        `${host} generated no image in ${count(timeoutSeconds, 'second')}.`,
        'Raise IMAGE_TIMEOUT_SECONDS, or use a faster model.',
      ),
    ]
  }
}

/** Describes what the engine has found: its cause is for operators, and holds no secret. */
function describeError(host: string, error: unknown): Line {
  if (!(error instanceof AppError)) throw error
  const reason = error.cause instanceof Error ? error.cause.message : error.message
  const isSpecific = reason !== error.message && error.message !== errors[error.code].message
  const text = `${reason.includes(host) ? '' : `${host}: `}${reason.replace(/\.$/, '')}.`
  return problem(
    isSpecific ? `${text} Users see: ${error.message}` : text,
    fixes[error.code] ?? 'Read its log, or try again later.',
  )
}

const fixes: Partial<Record<AppError['code'], string>> = {
  engine_unavailable: 'Check that it runs, and check url.',
  engine_misconfigured: 'Check url, model and the credentials of this engine in ENGINES_FILE.',
  engine_out_of_credit: 'Add credit or raise the limit at the provider.',
  engine_out_of_memory: 'Choose a smaller model, or a server with more memory.',
  engine_busy: 'Try again later, or raise the limit at the provider.',
  prompt_blocked: `Its moderation blocked the prompt "${prompt}"; check its settings.`,
}

function listed(models: readonly string[]): string {
  return `${models.slice(0, 5).join(', ')}${models.length > 5 ? ` and ${models.length - 5} others` : ''}`
}
