import { randomUUID } from 'node:crypto'
import type {
  Automatic1111EngineConfig,
  ChatEngineConfig,
  ComfyUiEngineConfig,
} from '../../config/engine-section.ts'
import { errors } from '../../../shared/errors.ts'
import { defaultRequest, type ImageEngine } from '../../engines/image-engine.ts'
import { AppError } from '../../errors/app-error.ts'
import { describeImage } from './engine.ts'
import { count, formatSeconds, note, ok, problem, type Line } from './report.ts'

type EngineServerConfig = Automatic1111EngineConfig | ComfyUiEngineConfig | ChatEngineConfig

/** Maximum duration of a check, in milliseconds. */
const checkTimeoutMs = 10_000

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

const prompt = 'A plain blue circle'

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
