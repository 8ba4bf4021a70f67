import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { errors } from '../../../shared/errors.ts'
import type { Config } from '../../config/config.ts'
import type { EngineConfig, OpenAiEngineConfig } from '../../config/engine-section.ts'
import { defaultRequest, type ImageEngine } from '../../engines/image-engine.ts'
import { connect, listModels } from '../../engines/openai/openai-client.ts'
import { createRangoliEngine } from '../../engines/rangoli/rangoli-engine.ts'
import { AppError } from '../../errors/app-error.ts'
import { sniffFormat } from '../../formats/image-files.ts'
import { count, formatBytes, formatSeconds, note, ok, problem, type Line } from './report.ts'

/** Engine of a configuration that a server generates images for. */
type ServerConfig = Exclude<EngineConfig, { readonly kind: 'rangoli' }>

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
  const engine = await createEngine(config)
  const lines = await checkServer(config, engine)
  if (lines.some(({ level }) => level === 'problem')) {
    return [...lines, note('No image was generated, because of that.')]
  }
  // An `openai` engine sends one more request if a stream ends without its image.
  const images = config.kind === 'openai' ? 'up to 2 images' : 'one image'
  if (await confirm?.(`This generates ${images} at ${hostOf(config)}, which may cost money. [y/N] `)) {
    return [...lines, ...(await generateImage(config, engine, imageTimeoutSeconds))]
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

function hostOf(config: ServerConfig): string {
  return config.kind === 'openai' ? connect(config.baseUrl, null).base.host : new URL(config.url).host
}

/** Checks that the server of an engine answers and has the model, free of charge. */
export async function checkServer(config: ServerConfig, engine: ImageEngine): Promise<Line[]> {
  const host = hostOf(config)
  const lines = [ok(`${host} generates the images, with ${describeModel(config)}.`)]
  const signal = AbortSignal.timeout(checkTimeoutMs)
  try {
    const { models } = await engine.check(signal)
    if (config.kind === 'openai')
      return [...lines, ok('It can be used.'), await compareModels(config, signal)]
    const names = models.length === 0 ? '' : ` It has ${listed(models)}.`
    return [...lines, ok(`It can be used.${names}`)]
  } catch (error) {
    if (!signal.aborted) return [...lines, describeError(config, error)]
    const seconds = count(checkTimeoutMs / 1_000, 'second')
    return [
      ...lines,
      problem(
        `${host} did not answer within ${seconds}.`,
        `Check that it runs, and check ${settingsOf(config).url}.`,
      ),
    ]
  }
}

function describeModel(config: ServerConfig): string {
  const model = config.model === null ? 'the model that it has loaded' : `the model ${config.model}`
  if (config.kind === 'openai') {
    return `${model}; ${config.settings.apiKey} is ${config.apiKey === null ? 'not set' : 'set'}`
  }
  if (config.kind !== 'comfyui' || config.workflow === null) return model
  return config.model === null ? 'your workflow' : `your workflow and ${model}`
}

/** Looks for the model in the list of a service. */
async function compareModels(
  { baseUrl, apiKey, model, settings }: OpenAiEngineConfig,
  signal: AbortSignal,
): Promise<Line> {
  const models = await listModels(connect(baseUrl, apiKey), signal)
  if (models === null) return note('It does not list its models; not every server or key may.')
  // Ollama adds a tag to names that have none.
  if (models.some((name) => name === model || name === `${model}:latest`)) {
    return ok(`It lists the model ${model}.`)
  }
  return note(
    `It does not list the model ${model}${models.length === 0 ? '' : `, but ${listed(models)}`}.`,
    `If generating fails, set ${settings.model} to one that it has.`,
  )
}

/** Generates an image as the server would. Costs money at some providers: ask first. */
export async function generateImage(
  config: ServerConfig,
  engine: ImageEngine,
  timeoutSeconds: number,
): Promise<Line[]> {
  const host = hostOf(config)
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  const startedAt = performance.now()
  let previews = 0
  let reports = 0
  try {
    for await (const event of engine.generate(defaultRequest(randomUUID(), prompt), signal)) {
      if (event.type === 'partial') previews += 1
      if (event.type === 'progress') reports += 1
      if (event.type !== 'complete') continue
      const durationMs = performance.now() - startedAt
      const image = await describeImage(event.bytes)
      if (!image) return [problem(`${host} generated a broken image.`, 'Read its log.')]
      return [
        ok(`${host} generated ${image} in ${formatSeconds(durationMs)}.`),
        ...(sniffFormat(event.bytes) === 'jpeg'
          ? []
          : [note('Images that are not JPEG are converted to JPEG, without content credentials.')]),
        ...(durationMs > timeoutSeconds * 500
          ? [
              note(
                'That is more than half of IMAGE_TIMEOUT_SECONDS.',
                'Raise it: several images at a time take longer.',
              ),
            ]
          : []),
        reports + previews === 0
          ? note('It reported no progress: users see nothing before the image is finished.')
          : ok(`It reported its progress ${count(reports, 'time')}, with ${count(previews, 'preview')}.`),
      ]
    }
    return [problem(`${host} generated no image.`, 'Read its log.')]
  } catch (error) {
    if (!signal.aborted) return [describeError(config, error)]
    return [
      problem(
        `${host} generated no image in ${count(timeoutSeconds, 'second')}.`,
        'Raise IMAGE_TIMEOUT_SECONDS, or use a faster model.',
      ),
    ]
  }
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

/** Describes what the engine has found: its cause is for operators, and holds no secret. */
function describeError(config: ServerConfig, error: unknown): Line {
  if (!(error instanceof AppError)) throw error
  const host = hostOf(config)
  const reason = error.cause instanceof Error ? error.cause.message : error.message
  const isSpecific = reason !== error.message && error.message !== errors[error.code].message
  const text = `${reason.includes(host) ? '' : `${host}: `}${reason.replace(/\.$/, '')}.`
  return problem(isSpecific ? `${text} Users see: ${error.message}` : text, fixFor(config, error.code))
}

/** Names of the settings of an engine. */
function settingsOf(config: ServerConfig): OpenAiEngineConfig['settings'] {
  return config.kind === 'openai'
    ? config.settings
    : { url: 'url', model: 'model', apiKey: 'the credentials of this engine in ENGINES_FILE' }
}

function fixFor(config: ServerConfig, code: AppError['code']): string {
  const { url, model, apiKey } = settingsOf(config)
  const fixes: Partial<Record<AppError['code'], string>> = {
    engine_unavailable: `Check that it runs, and check ${url}.`,
    engine_misconfigured: `Check ${url}, ${model} and ${apiKey}.`,
    engine_out_of_credit: 'Add credit or raise the limit at the provider.',
    engine_out_of_memory: 'Choose a smaller model, or a server with more memory.',
    engine_busy: 'Try again later, or raise the limit at the provider.',
    prompt_blocked: `Its moderation blocked the prompt "${prompt}"; check its settings.`,
  }
  return fixes[code] ?? 'Read its log, or try again later.'
}

function listed(models: readonly string[]): string {
  return `${models.slice(0, 5).join(', ')}${models.length > 5 ? ` and ${models.length - 5} others` : ''}`
}
