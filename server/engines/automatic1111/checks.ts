import { EngineError } from '../engine-error.ts'
import { fieldsOf, isRecord, listOf } from '../engine-http.ts'
import { type Automatic1111Client, responseError } from './automatic1111-client.ts'
import { findReported, listedName, type ServerModels } from './models.ts'

/** Returns the listed name of the loaded model, which is used if none is configured; null if it is unknown. */
export async function readLoaded(
  client: Automatic1111Client,
  list: ServerModels,
  signal: AbortSignal,
): Promise<string | null> {
  const title = fieldsOf(await client.find('/sdapi/v1/options', signal))['sd_model_checkpoint']
  const loaded = typeof title === 'string' ? findReported(list.models, title) : null
  return loaded && listedName(list, loaded)
}

/** Checks that a server that lists its samplers has one: AUTOMATIC1111 silently uses another instead. @throws EngineError */
export async function checkSampler(
  client: Automatic1111Client,
  sampler: string,
  signal: AbortSignal,
): Promise<void> {
  const names = listOf(await client.find('/sdapi/v1/samplers', signal))
    .map(fieldsOf)
    .flatMap(({ name, aliases }) => [name, aliases].flat())
  if (names.length === 0) return
  const known = names.filter((name) => typeof name === 'string').map((name) => name.toLowerCase())
  const wanted = sampler.toLowerCase()
  // Names such as “DPM++ 2M Karras” contain the scheduler too.
  if (known.some((name) => wanted === name || wanted.startsWith(`${name} `))) return
  throw new EngineError(
    'engine_misconfigured',
    `the server has no sampler “${sampler}”: set \`sampler\` to one of ${known.slice(0, 40).join(', ')}`,
  )
}

/**
 * Lists the models of a server without a list: the configured one, which llama-swap must have, as it passes images on to
 * servers by `model`.
 *
 * @throws EngineError for another model, or a server without a function of the API that generates nothing
 */
export async function listProxied(
  client: Automatic1111Client,
  model: string | null,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const models = listOf(fieldsOf(await client.find('/v1/models', signal))['data']).map(fieldsOf)
  const ids = models.filter((one) => one['owned_by'] === 'llama-swap').map(({ id }) => String(id))
  const configured = model === null ? [] : [model]
  if (ids.length > 0) {
    if (model !== null && ids.includes(model)) return configured
    throw new EngineError('engine_misconfigured', `set \`model\` to a model of llama-swap: ${ids.join(', ')}`)
  }
  for (const name of ['options', 'progress', 'samplers']) {
    if (isRecord(await client.find(`/sdapi/v1/${name}`, signal))) return configured
  }
  throw responseError(404, null)
}
