import { EngineError, unknownModel } from '../engine-error.ts'
import { fieldsOf, isRecord } from '../engine-http.ts'
import { withoutExtension } from '../loras.ts'
import type { Automatic1111Client } from './automatic1111-client.ts'

interface ServerModel {
  /** Path below the folder of models, usually followed by a hash in brackets; identifies the model. */
  readonly title: string
  /** Name without folder and extension, as the server reports it with an image. */
  readonly name: string
  readonly filename: string
}

export interface ServerModels {
  readonly models: readonly ServerModel[]
  /** False if the server was started with its only model. */
  readonly canSwitch: boolean
}

/** Hash of the only model in lists of koboldcpp and stable-diffusion.cpp. */
const markerHash = '8888888888'

/** Lists the models of a server. @returns null if the server has no such list */
export async function listModels(
  client: Automatic1111Client,
  signal: AbortSignal,
): Promise<ServerModels | null> {
  let list: unknown
  try {
    list = await client.request('/sdapi/v1/sd-models', signal)
  } catch (error) {
    if (!(error instanceof EngineError) || ![404, 405].includes(error.facts.status ?? 0)) throw error
    return findDrawThings(client, signal)
  }
  if (!Array.isArray(list)) {
    throw new EngineError('engine_misconfigured', 'the server does not list its models: check `url`')
  }
  const entries = list.filter(isRecord)
  const models = entries.flatMap(({ title: listed, model_name: name, filename }) => {
    const title = listed ?? name
    if (typeof title !== 'string' || title === '') return []
    return [
      {
        title,
        name: typeof name === 'string' && name !== '' ? name : baseName(title),
        filename: typeof filename === 'string' ? filename : title,
      },
    ]
  })
  if (models.length === 0) throw new EngineError('engine_misconfigured', 'the server has no image model')
  return { models, canSwitch: !(entries.length === 1 && entries[0]?.['hash'] === markerHash) }
}

/** Draw Things has no list, but returns its settings at the root. */
async function findDrawThings(
  client: Automatic1111Client,
  signal: AbortSignal,
): Promise<ServerModels | null> {
  const { model } = fieldsOf(await client.find('/', signal))
  if (typeof model !== 'string' || model === '') return null
  return { models: [{ title: model, name: baseName(model), filename: model }], canSwitch: false }
}

/**
 * Finds a model by its title, name or file, with or without folder, extension and hash.
 *
 * @throws EngineError if no model matches, or several
 */
export function findModel(models: readonly ServerModel[], wanted: string): ServerModel {
  const [found, ...others] = matching(models, wanted)
  if (found && others.length === 0) return found
  const reason = found ? 'several models of the server match' : 'the server has no model'
  throw unknownModel(`${reason} “${wanted}”: check \`model\``, wanted)
}

/** Returns the models that match a name in the strictest form in which any does. */
function matching(models: readonly ServerModel[], wanted: string): readonly ServerModel[] {
  const forms: ((model: ServerModel) => string)[] = [
    ({ title }) => title,
    ({ title }) => withoutHash(title),
    ({ name }) => name,
    ({ filename }) => filename,
    ({ title }) => withoutExtension(withoutHash(title)),
    ({ filename }) => filename.replace(/^.*[\\/]/, ''),
    ({ filename }) => baseName(filename),
  ]
  const fold = (name: string) => name.trim().replaceAll('\\', '/').toLowerCase()
  for (const name of [wanted, withoutHash(wanted)].map(fold)) {
    for (const form of forms) {
      const found = models.filter((model) => fold(form(model)) === name)
      if (found.length > 0) return found
    }
  }
  return []
}

/** Name of a model for users and for rows: the one that the server reports with an image, unless another model has it too. */
export function listedName({ models }: ServerModels, model: ServerModel): string {
  const isUnique = models.filter(({ name }) => name === model.name).length === 1
  return isUnique ? model.name : withoutHash(model.title)
}

/** Returns the model that a server reports with an image; null if it is not in its list. */
export function findReported(models: readonly ServerModel[], reported: string): ServerModel | null {
  const found = matching(models, reported)
  return found.length === 1 ? (found[0] ?? null) : null
}

function withoutHash(title: string): string {
  return title.replace(/\s*\[[\da-f]+\]\s*$/i, '')
}

function baseName(file: string): string {
  return withoutExtension(withoutHash(file).replace(/^.*[\\/]/, ''))
}
