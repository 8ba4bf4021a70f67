import type { AdminAction } from '../../shared/admin.ts'
import type { Actor } from '../audit/admin-log.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import { engineKinds } from '../../shared/engines.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import type { Engines } from '../engines/engines.ts'
import type { ImageEngine } from '../engines/image-engine.ts'
import type { Generations } from '../images/generation/generations.ts'
import { secretSettings } from '../config/engine-section.ts'
import { urlOf } from '../config/variables.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import {
  readAddedEngines,
  storeAddedEngines,
  type AddedEngines,
  type EngineEntry,
  type EngineSecrets,
  type StoredEngine,
} from '../site/added-engines.ts'
import { storeSiteOption, type ReadSiteOptions } from '../site/site-options.ts'

export interface ChangeEngineServices extends UserServices, AdministrationServices {
  readonly engines: Engines
  readonly generations: Pick<Generations, 'queueChanged'>
  readonly readOptions: ReadSiteOptions
  readonly addedEngines: Pick<AddedEngines, 'create'>
  readonly engineSecrets: EngineSecrets
}

const secretsAgain = 'The address leads to another server. Enter the secrets of the engine again.'

/** Maximum number of engines that administrators add. */
const enginesMax = 30

/**
 * Adds an engine, which every process uses at once.
 *
 * @param entry as in the engines file, with its secrets as strings; without an id it gets one
 * @throws AppError `bad_input`, or `forbidden` if the administrator has lost the role
 */
export async function addEngine(
  services: ChangeEngineServices,
  administrator: Actor,
  entry: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { db, engines, addedEngines, engineSecrets } = services
  await services.readOptions(db)
  const isTaken = (id: unknown) => typeof id === 'string' && engines.get(id) !== null
  const id = entry['id'] ?? freeId(engineKinds.find((kind) => kind === entry['kind']) ?? 'engine', isTaken)
  const { id: newId, kind, label } = await addedEngines.create({ ...entry, id })
  await change(services, administrator, 'create_engine', newId, (stored) => {
    if (isTaken(newId) || stored.some(({ settings }) => settings.id === newId))
      throw new AppError('bad_input', `\`id\` ${newId} is the id of another engine. Choose another id.`)
    if (stored.length >= enginesMax)
      throw new AppError('bad_input', `There may be ${enginesMax} engines. Delete one first.`)
    return [...stored, engineSecrets.seal({ ...entry, id: newId, kind, label })]
  })
  return newId
}

function freeId(base: string, isTaken: (id: string) => boolean, number = 1): string {
  const id = number === 1 ? base : `${base}-${number}`
  return isTaken(id) ? freeId(base, isTaken, number + 1) : id
}

/**
 * Changes settings of an engine that was added, or its place.
 *
 * @param changes null removes a setting; secrets that are not given stay, unless the URL leads to another server
 * @param before id of the added engine that it is moved before, null for the end
 * @throws AppError `not_found`; `forbidden` for an engine of the configuration; `bad_input`
 */
export async function changeEngine(
  services: ChangeEngineServices,
  administrator: Actor,
  {
    id,
    before,
    ...changes
  }: Readonly<Record<string, unknown>> & {
    readonly id: string
    readonly before?: string | null | undefined
  },
): Promise<void> {
  const { engineSecrets, addedEngines } = services
  const isMoved = before !== undefined
  await change(services, administrator, 'change_engine', id, async (stored) => {
    const current = find(services, stored, id)
    const former = Object.keys(changes).length === 0 ? null : readable(engineSecrets, current)
    if (former && 'kind' in changes && changes['kind'] !== former['kind'])
      throw new AppError('bad_input', '`kind` cannot be changed. Add another engine.')
    if (former && leadsElsewhere(former, changes)) throw new AppError('bad_input', secretsAgain)
    const entry = former && {
      ...Object.fromEntries(Object.entries({ ...former, ...changes }).filter(([, value]) => value !== null)),
      id,
    }
    const changed = entry
      ? engineSecrets.seal({ ...entry, ...named(await addedEngines.create(entry)) })
      : current
    if (!isMoved) return stored.map((one) => (one === current ? changed : one))
    const others = stored.filter((one) => one !== current)
    const place = others.findIndex(({ settings }) => settings.id === before)
    if (before !== null && place < 0) throw new AppError('bad_input', '`before` is no added engine.')
    return others.toSpliced(before === null ? others.length : place, 0, changed)
  })
}

const named = ({ id, kind, label }: ImageEngine) => ({ id, kind, label })

/** Checks whether stored secrets would be sent to another server, which may belong to the user who changes the URL. */
function leadsElsewhere(former: EngineEntry, changes: Readonly<Record<string, unknown>>): boolean {
  if (!('url' in changes)) return false
  const [from, to] = [former, changes].map(({ url }) => (typeof url === 'string' ? urlOf(url)?.origin : null))
  return from !== to && secretSettings.some((name) => name in former && !(name in changes))
}

/** Returns the whole entry; without its secrets if they cannot be read any more. */
function readable(engineSecrets: EngineSecrets, stored: StoredEngine): EngineEntry {
  try {
    return engineSecrets.open(stored)
  } catch {
    // The secret of the site has changed: the administrator enters them again.
    return stored.settings
  }
}

/** Deletes an engine that was added. What waits for it fails with a refund. @throws see `changeEngine` */
export async function deleteEngine(
  services: ChangeEngineServices,
  administrator: Actor,
  id: string,
): Promise<void> {
  await change(services, administrator, 'delete_engine', id, (stored) => {
    const current = find(services, stored, id)
    return stored.filter((one) => one !== current)
  })
}

function find(services: ChangeEngineServices, stored: readonly StoredEngine[], id: string): StoredEngine {
  const found = stored.find(({ settings }) => settings.id === id)
  if (found) return found
  if (services.engines.get(id)) throw new AppError('forbidden', describedDetail('option_fixed'))
  throw new AppError('not_found', 'Engine not found.')
}

async function change(
  services: ChangeEngineServices,
  administrator: Actor,
  action: Extract<AdminAction, 'create_engine' | 'change_engine' | 'delete_engine'>,
  id: string,
  decide: (stored: readonly StoredEngine[]) => readonly StoredEngine[] | Promise<readonly StoredEngine[]>,
): Promise<void> {
  const { db, readOptions } = services
  await asAdministrator(services, administrator, async (transaction, record) => {
    const { engines } = await readOptions(transaction)
    await storeAddedEngines(transaction, await decide(await readAddedEngines(transaction)))
    if (action === 'delete_engine' && id in engines) {
      // An engine of the same id that is added later is another one.
      const { [id]: _, ...others } = engines
      await storeSiteOption(transaction, 'engines', others)
    }
    await record({ action, details: { engine: id } })
  })
  await readOptions(db)
  await services.generations.queueChanged()
}
