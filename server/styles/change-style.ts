import { randomUUID } from 'node:crypto'
import { ownStylesMax, siteStylesMax, type Style } from '../../shared/styles.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Identity } from '../access/authenticator.ts'
import { inTransactionOf, type UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import type { Database } from '../db/open-database.ts'
import { countRows } from '../db/rows.ts'
import type { Engines } from '../engines/engines.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import type { NewStyle, StyleChanges } from './inputs.ts'
import { isShipped, readStyle, selectOf, toStyle, type StyleRow } from './stored-styles.ts'

/** Services of this module's procedures. */
export interface StylesServices extends UserServices, AdministrationServices {
  readonly engines: Engines
}

/** Caller of a procedure. */
export interface Caller {
  readonly viewer: Viewer
  readonly by: Identity['by']
}

/** Creates a style of the caller, or of the site. @throws AppError `bad_input` for too many; `forbidden` */
export function createStyle(
  services: StylesServices,
  caller: Caller,
  { isOfSite, ...input }: NewStyle,
): Promise<Style> {
  return changeStyles(services, caller, isOfSite, input.name, async (transaction) => {
    const ownerId = isOfSite ? null : caller.viewer.id
    const max = isOfSite ? siteStylesMax : ownStylesMax
    if ((await countRows(selectOf(transaction, ownerId).clearSelect())) >= max) {
      throw new AppError('bad_input', describedDetail('styles_max', { max }))
    }
    const row = await transaction
      .insertInto('styles')
      .values({
        ...columnsOf(input),
        id: randomUUID(),
        owner_id: ownerId,
        created_at: services.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toStyle(row, services.engines)
  })
}

/** Changes a style of the caller, or of the site. @throws AppError `not_found`, `forbidden` */
export async function updateStyle(
  services: StylesServices,
  caller: Caller,
  { id, ...changes }: StyleChanges,
): Promise<Style> {
  const { owner_id, name } = await readStyle(services.db, caller.viewer, id)
  return changeStyles(services, caller, owner_id === null, changes.name ?? name, async (transaction) => {
    const row = await readStyle(transaction, caller.viewer, id)
    return toStyle(await store(transaction, { ...row, ...columnsOf(changes) }), services.engines)
  })
}

/** Deletes a style of the caller, or of the site. Images keep their recipes. @throws AppError `not_found`, `forbidden` */
export async function deleteStyle(services: StylesServices, caller: Caller, id: string): Promise<void> {
  const { owner_id, name } = await readStyle(services.db, caller.viewer, id)
  await changeStyles(services, caller, owner_id === null, name, async (transaction) => {
    const row = await readStyle(transaction, caller.viewer, id)
    if (isShipped(id)) await store(transaction, { ...row, removed: 1 })
    else await transaction.deleteFrom('styles').where('id', '=', id).execute()
  })
}

/** Stores a row, the first one of a style that ships. */
function store(transaction: Database, { ...row }: StyleRow): Promise<StyleRow> {
  return transaction
    .insertInto('styles')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Runs a change of the caller's styles, or of those of the site, which only the sessions of administrators change. */
function changeStyles<Result>(
  services: StylesServices,
  { viewer, by }: Caller,
  isOfSite: boolean,
  name: string,
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  if (!isOfSite) return inTransactionOf(services, viewer, change)
  if (viewer.role !== 'administrator' || by !== 'session') {
    throw new AppError('forbidden', describedDetail('administrators_only'))
  }
  return asAdministrator(services, viewer, async (transaction, record) => {
    const result = await change(transaction)
    await record({ action: 'change_style', details: { name } })
    return result
  })
}

type Settings = Omit<NewStyle, 'isOfSite'>
type Columns = Omit<StyleRow, 'id' | 'owner_id' | 'removed' | 'created_at'>

function columnsOf(settings: Settings): Columns
function columnsOf(settings: Omit<StyleChanges, 'id'>): Partial<Columns>
function columnsOf({
  name,
  template,
  negativePrompt,
  engine,
  size,
  loras,
  isForModels,
}: Omit<StyleChanges, 'id'>) {
  return {
    ...(name !== undefined && { name }),
    ...(template !== undefined && { template }),
    ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
    ...(engine !== undefined && { engine }),
    ...(size !== undefined && { size }),
    ...(loras !== undefined && { loras: JSON.stringify(loras) }),
    ...(isForModels !== undefined && { for_models: Number(isForModels) }),
  }
}
