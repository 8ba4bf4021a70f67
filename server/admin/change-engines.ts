import type { AdminAction } from '../../shared/admin.ts'
import { asAdministrator, type Actor } from '../audit/admin-log.ts'
import { engineKinds, leadsElsewhere, secretSettings } from '../../shared/engines.ts'
import type { UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import type { Engines } from '../engines/engines.ts'
import type { Generations } from '../images/generation/generations.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { readAddedEngines } from '../site/added-engines.ts'
import type { AddedEngines, EngineEntry, StoredEngine } from '../site/added-engines.ts'
import { storeSiteOption, type ReadSiteOptions } from '../site/site-options.ts'

export interface ChangeEngineServices extends UserServices, AdministrationServices {
  readonly engines: Engines
  readonly generations: Pick<Generations, 'queueChanged'>
  readonly readOptions: ReadSiteOptions
  readonly addedEngines: AddedEngines
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
  const { db, engines, addedEngines } = services
  await services.readOptions(db)
  const isTaken = (id: unknown) => typeof id === 'string' && engines.get(id) !== null
  const givenId =
    entry['id'] ?? freeId(engineKinds.find((kind) => kind === entry['kind']) ?? 'engine', isTaken)
  const { id, label } = await addedEngines.create({ ...entry, id: givenId })
  await change(services, administrator, 'create_engine', id, (stored) => {
    if (isTaken(id) || stored.some(({ settings }) => settings.id === id))
      throw new AppError('bad_input', `\`id\` ${id} is the id of another engine. Choose another id.`)
    if (stored.length >= enginesMax)
      throw new AppError('bad_input', `There may be ${enginesMax} engines. Delete one first.`)
    return [...stored, addedEngines.secrets.seal({ ...entry, id, label })]
  })
  return id
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
  { id, before, ...changes }: EngineEntry & { readonly before?: string | null | undefined },
): Promise<void> {
  await change(services, administrator, 'change_engine', id, async (stored) => {
    const current = find(services, stored, id)
    const changed =
      Object.keys(changes).length === 0 ? current : await withChanges(services, current, changes)
    if (before === undefined) return stored.map((one) => (one === current ? changed : one))
    const others = stored.filter((one) => one !== current)
    const place = others.findIndex(({ settings }) => settings.id === before)
    if (before !== null && place < 0) throw new AppError('bad_input', '`before` is no added engine.')
    return others.toSpliced(before === null ? others.length : place, 0, changed)
  })
}

async function withChanges(
  { addedEngines }: ChangeEngineServices,
  stored: StoredEngine,
  changes: Readonly<Record<string, unknown>>,
): Promise<StoredEngine> {
  const former = addedEngines.secrets.openReadable(stored)
  if ('kind' in changes && changes['kind'] !== former['kind'])
    throw new AppError('bad_input', '`kind` cannot be changed. Add another engine.')
  // That server may belong to the user who changes the URL.
  const keptSecrets = secretSettings.filter((name) => name in former && !(name in changes))
  if ('url' in changes && leadsElsewhere(former['url'], changes['url'], keptSecrets))
    throw new AppError('bad_input', secretsAgain)
  const settings = Object.entries({ ...former, ...changes }).filter(([, value]) => value !== null)
  const entry = { ...Object.fromEntries(settings), id: former.id }
  const { label } = await addedEngines.create(entry)
  return addedEngines.secrets.seal({ ...entry, label })
}

/** Deletes an engine that was added. What waits for it fails with a refund. @throws see `changeEngine` */
export async function deleteEngine(
  services: ChangeEngineServices,
  administrator: Actor,
  id: string,
): Promise<void> {
  await change(services, administrator, 'delete_engine', id, async (stored, transaction) => {
    const current = find(services, stored, id)
    // An engine of the same id that is added later is another one.
    const { engines, defaultEngine } = await services.readOptions(transaction)
    const { [id]: options, ...others } = engines
    if (options) await storeSiteOption(transaction, 'engines', others)
    if (defaultEngine === id) await storeSiteOption(transaction, 'defaultEngine', null)
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
  decide: (
    stored: readonly StoredEngine[],
    transaction: UserServices['db'],
  ) => readonly StoredEngine[] | Promise<readonly StoredEngine[]>,
): Promise<void> {
  const { db, readOptions } = services
  await asAdministrator(services, administrator, async (transaction, record) => {
    const changed = await decide(await readAddedEngines(transaction), transaction)
    await storeSiteOption(transaction, 'addedEngines', changed.length === 0 ? null : changed)
    await record({ action, details: { engine: id } })
  })
  await readOptions(db)
  await services.generations.queueChanged()
}
