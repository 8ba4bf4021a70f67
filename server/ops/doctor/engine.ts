import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { errors, type ErrorCode } from '../../../shared/errors.ts'
import { authSecretFile } from '../../auth/auth-secret.ts'
import type { Config } from '../../config/config.ts'
import { parseEngineEntry, type EngineConfig } from '../../config/engine-section.ts'
import { defaultRequest, type ImageEngine } from '../../engines/image-engine.ts'
import { connect } from '../../engines/openai/openai-client.ts'
import { AppError } from '../../errors/app-error.ts'
import { sniffFormat } from '../../formats/image-files.ts'
import { EngineSecrets, type StoredEngine } from '../../site/added-engines.ts'
import { count, formatBytes, note, ok, problem, type Line, type Lines } from './report.ts'

/** Engine of a configuration that a server generates images for. */
type ServerConfig = Exclude<EngineConfig, { readonly kind: 'rangoli' }>

/** Maximum duration of a check that costs nothing, in milliseconds. */
const checkTimeoutMs = 10_000

/** Prompt of test images. */
const prompt = 'A plain blue circle'

const unavailableFix = 'Check that it runs, and check its address.'

/** What operators can do about an error of an engine. */
const fixes: Partial<Record<ErrorCode, string>> = {
  engine_unavailable: unavailableFix,
  engine_misconfigured: 'Check its address, its model and its credentials.',
  engine_out_of_credit: 'Add credit or raise the limit at the provider.',
  engine_out_of_memory: 'Choose a smaller model, or a server with more memory.',
  engine_busy: 'Try again later, or raise the limit at the provider.',
  prompt_blocked: `Its moderation blocked the prompt "${prompt}"; check its settings.`,
}

export interface EngineCheckOptions {
  /** Asks before something is paid for; null where there is no terminal to ask at. */
  readonly confirm: ((question: string) => Promise<boolean>) | null
  readonly createEngine: (engine: EngineConfig) => Promise<ImageEngine>
  /** Called for engines with secrets in the database. @throws StartError if it cannot be read */
  readonly siteSecret: (config: Config) => string
}

/** Checks an engine that administrators added like those of the configuration. */
export async function* checkAddedEngine(
  config: Config,
  stored: StoredEngine,
  options: EngineCheckOptions,
): Lines {
  const where = 'Correct it at /admin/engines.'
  let entry: unknown = stored.settings
  try {
    if (stored.secrets !== null) {
      requireSecret(config)
      entry = new EngineSecrets(options.siteSecret(config)).open(stored)
    }
  } catch {
    return yield problem('Its secrets cannot be read with the secret of this site.', where)
  }
  const parsed = parseEngineEntry(entry)
  if ('engine' in parsed) yield* checkEngine(config, parsed.engine, options)
  else yield problem(`This version does not understand its entry. ${parsed.issues.join(' ')}`, where)
}

/** Rejects a site whose secret would be generated, as the doctor changes nothing. */
function requireSecret({ auth, database }: Config): void {
  if (auth.kind === 'clerk' || auth.secret !== null || database.kind === 'postgres') return
  readFileSync(authSecretFile(path.dirname(database.file)))
}

/** Checks that an engine can generate images; generates one after confirmation, which may cost money. */
export async function* checkEngine(
  { imageTimeoutSeconds }: Config,
  config: EngineConfig,
  { confirm, createEngine }: EngineCheckOptions,
): Lines {
  const engine = await createEngine(config)
  if (config.kind === 'rangoli') {
    yield ok('The embedded engine draws the images; it needs no key and no network.')
    return yield await generateImage('The embedded engine', engine, imageTimeoutSeconds)
  }
  const problems: Line[] = []
  for await (const line of checkServer(config, engine)) {
    if (line.level === 'problem') problems.push(line)
    yield line
  }
  if (problems.length > 0) return yield note('No image was generated, because of that.')
  // An `openai` engine sends one more request if a stream ends without its image.
  const images = config.kind === 'openai' ? 'up to 2 images' : 'one image'
  if (await confirm?.(`This generates ${images} at ${hostOf(config)}, which may cost money. [y/N] `)) {
    yield await generateImage(hostOf(config), engine, imageTimeoutSeconds, config)
  } else {
    const fix = `npm run doctor -- --yes generates ${images}.`
    yield note('No image was generated, because that may cost money.', fix)
  }
}

function hostOf(config: ServerConfig): string {
  return config.kind === 'openai' ? connect(config.baseUrl, null).base.host : new URL(config.url).host
}

/** Checks that the server of an engine answers and has the model, free of charge. */
export async function* checkServer(config: ServerConfig, engine: ImageEngine): Lines {
  const host = hostOf(config)
  yield ok(`${host} generates the images, with ${describeModel(config)}.`)
  const signal = AbortSignal.timeout(checkTimeoutMs)
  try {
    const { models } = await engine.check(signal)
    yield ok(`It can be used.${models.length === 0 ? '' : ` It has ${listed(models)}.`}`)
  } catch (error) {
    if (!signal.aborted) return yield describeError(config, error)
    const text = `${host} did not answer within ${count(checkTimeoutMs / 1_000, 'second')}.`
    yield problem(text, unavailableFix)
  }
}

function describeModel(config: ServerConfig): string {
  if (config.kind === 'openrouter')
    return config.models.length === 0 ? 'any of its models' : listed(config.models)
  const model = config.model === null ? 'the model that it has loaded' : `the model ${config.model}`
  if (config.kind === 'openai') {
    return `${model}, and ${config.apiKey === null ? 'no' : 'a'} key`
  }
  if (config.kind !== 'comfyui' || config.workflow === null) return model
  return config.model === null ? 'your workflow' : `your workflow and ${model}`
}

/**
 * Generates an image as the server would. Costs money at some providers: ask first.
 *
 * @param name of the engine, at the beginning of a sentence
 * @param config of an engine with a server
 */
export async function generateImage(
  name: string,
  engine: ImageEngine,
  timeoutSeconds: number,
  config?: ServerConfig,
): Promise<Line> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  const startedAt = performance.now()
  try {
    for await (const event of engine.generate(defaultRequest(randomUUID(), prompt), signal)) {
      if (event.type !== 'complete') continue
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
      const image = await describeImage(event.bytes)
      if (!image) return problem(`${name} generated a broken image.`, 'Read its log.')
      return ok(`${name} generated ${image} in ${seconds} of at most ${count(timeoutSeconds, 'second')}.`)
    }
    return problem(`${name} generated no image.`, 'Read its log.')
  } catch (error) {
    if (signal.aborted) {
      const text = `${name} generated no image in ${count(timeoutSeconds, 'second')}.`
      return problem(text, 'Raise IMAGE_TIMEOUT_SECONDS, or use a faster model.')
    }
    if (config) return describeError(config, error)
    const { cause = error } = error as Error
    const fix = 'Install the dependencies again with npm ci, on this machine.'
    return problem(`${name} cannot draw (${cause instanceof Error ? cause.message : String(cause)}).`, fix)
  }
}

/** `a JPEG of 1024 × 1024 pixels and 1.6 MB`, or null for a broken image. */
async function describeImage(bytes: Uint8Array): Promise<string | null> {
  const format = sniffFormat(bytes)
  if (!format) return null
  try {
    const { info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    const name = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' }[format]
    return `a ${name} of ${info.width} × ${info.height} pixels and ${formatBytes(bytes.length)}`
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
  return problem(
    isSpecific ? `${text} Users see: ${error.message}` : text,
    fixes[error.code] ?? 'Read its log, or try again later.',
  )
}

function listed(models: readonly string[]): string {
  return `${models.slice(0, 5).join(', ')}${models.length > 5 ? ` and ${models.length - 5} others` : ''}`
}
