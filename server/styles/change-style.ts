import { randomUUID } from 'node:crypto'
import { ownStylesMax, siteStylesMax, type Style } from '../../shared/styles.ts'
import { inTransactionOf, type UserServices } from '../access/user-access.ts'
import type { AdministrationServices } from '../access/user-directory.ts'
import { asAdministrator } from '../audit/admin-log.ts'
import type { Database } from '../db/open-database.ts'
import { countRows } from '../db/rows.ts'
import type { Engines } from '../engines/engines.ts'
import type { Call, Caller } from '../procedures/procedures.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { definedOf } from '../procedures/inputs.ts'
import type { NewStyle, StyleChanges } from './inputs.ts'
import { readStyle, selectOf, settingsOf, shippedIds, toStyle, type StyleRow } from './stored-styles.ts'

/** Services of this module's procedures. */
export interface StylesServices extends UserServices, AdministrationServices {
  readonly engines: Engines
}

type StyleCall<Input> = Call<StylesServices, Input>

/** Creates a style of the caller, or of the site. @throws AppError `bad_input` for too many; `forbidden` */
export function createStyle({ ctx, input: { isOfSite, ...input } }: StyleCall<NewStyle>): Promise<Style> {
  const { services, viewer } = ctx
  return changeStyles(ctx, 'create', isOfSite, input.name, async (transaction) => {
    const ownerId = isOfSite ? null : viewer.id
    const max = isOfSite ? siteStylesMax : ownStylesMax
    const kept = selectOf(transaction, ownerId).clearSelect()
    if ((await countRows(kept.where('id', 'not in', shippedIds))) >= max) {
      throw new AppError('bad_input', describedDetail('styles_max', { max }))
    }
    const keys = { id: randomUUID(), owner_id: ownerId, created_at: services.now(), removed: 0 }
    return toStyle(await store(transaction, { ...columnsOf(input), ...keys }), services.engines)
  })
}

/** Changes a style of the caller, or of the site, and restores a deleted one that ships. @throws AppError `not_found`, `forbidden` */
export async function updateStyle({ ctx, input }: StyleCall<StyleChanges>): Promise<Style> {
  const { services, viewer } = ctx
  const { id, ...changes } = input
  const { owner_id, name } = await readStyle(services.db, viewer, id, true)
  return changeStyles(ctx, 'change', owner_id === null, changes.name ?? name, async (transaction) => {
    const row = { ...(await readStyle(transaction, viewer, id, true)), removed: 0 }
    const columns = columnsOf({ ...settingsOf(row), ...definedOf(changes) })
    return toStyle(await store(transaction, { ...row, ...columns }), services.engines)
  })
}

/** Deletes a style of the caller, or of the site. Images keep their recipes. @throws AppError `not_found`, `forbidden` */
export async function deleteStyle({ ctx, input: { id } }: StyleCall<{ readonly id: string }>) {
  const { owner_id, name } = await readStyle(ctx.services.db, ctx.viewer, id)
  await changeStyles(ctx, 'delete', owner_id === null, name, async (transaction) => {
    const row = await readStyle(transaction, ctx.viewer, id)
    if (shippedIds.includes(id)) await store(transaction, { ...row, removed: 1 })
    else await transaction.deleteFrom('styles').where('id', '=', id).execute()
  })
  return { id }
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
  { services, viewer, by }: Caller<StylesServices>,
  action: 'create' | 'change' | 'delete',
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
    await record({ action: `${action}_style`, details: { name } })
    return result
  })
}

function columnsOf({ negativePrompt, loras, isForModels, ...others }: Omit<NewStyle, 'isOfSite'>) {
  return {
    ...others,
    negative_prompt: negativePrompt,
    loras: JSON.stringify(loras),
    for_models: Number(isForModels),
  }
}
