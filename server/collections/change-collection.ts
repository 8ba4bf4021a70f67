import { randomUUID } from 'node:crypto'
import { collectionsMax, type Collection } from '../../shared/collections.ts'
import { readSettings } from '../access/user-settings.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { collectionNotFound, selectVisibleCollection } from '../access/visible-collection.ts'
import { outdateResponses } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { countRows, hasRows } from '../db/rows.ts'
import type { RowOf } from '../db/schema.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { postNotFound } from '../access/visible-post.ts'
import { searchText } from '../text/search-text.ts'
import { readCollection } from './collection-queries.ts'
import type { CollectionChanges, NewCollection } from './inputs.ts'
import type { CollectionCall, CollectionCaller } from './services.ts'

export type CollectionRow = RowOf<'collections'>

export async function createCollection({
  ctx: { services, viewer: owner },
  input: { title, description, visibility, contributors },
}: CollectionCall<NewCollection>): Promise<Collection> {
  const id = randomUUID()
  await inTransactionOf(services, owner, async (transaction) => {
    await outdateResponses(transaction)
    const own = transaction.selectFrom('collections').where('owner_id', '=', owner.id)
    if ((await countRows(own)) >= collectionsMax) {
      throw new AppError('bad_input', describedDetail('collections_max', { max: collectionsMax }))
    }
    await transaction
      .insertInto('collections')
      .values({
        id,
        owner_id: owner.id,
        title,
        description,
        search_text: searchText(title, description),
        visibility: visibility ?? (await readSettings(transaction, owner)).defaultVisibility,
        contributors,
        created_at: services.now(),
      })
      .execute()
  })
  return readCollection(services, id, owner)
}

/**
 * Changes a collection of the viewer. If only its owner contributes, its invitation and those who joined are gone.
 * @throws AppError `not_found`, `forbidden`
 */
export function updateCollection({ ctx, input }: CollectionCall<CollectionChanges>): Promise<Collection> {
  const { id, coverPostId, ...changes } = input
  return changeOwn(ctx, id, async (transaction, row) => {
    if (coverPostId) {
      const entry = entriesOf(transaction, id).select('post_id').where('post_id', '=', coverPostId)
      if (!(await hasRows(entry))) throw postNotFound()
    }
    const { title = row.title, description = row.description } = changes
    const isForOwner = changes.contributors === 'owner'
    await transaction
      .updateTable('collections')
      .set({
        ...changes,
        search_text: searchText(title, description),
        cover_post_id: coverPostId,
        ...(isForOwner && { invitation_hash: null }),
      })
      .where('id', '=', id)
      .execute()
    if (isForOwner) {
      await transaction.deleteFrom('collection_contributors').where('collection_id', '=', id).execute()
    }
  })
}

/** Deletes a collection of the viewer, or any for an administrator. Its posts remain. @throws AppError `not_found`, `forbidden` */
export async function deleteCollection({ ctx, input: { id } }: CollectionCall<{ readonly id: string }>) {
  const { viewer } = ctx
  await changeAny(ctx, id, async (transaction, row) => {
    if (row.owner_id !== viewer.id && viewer.role !== 'administrator') throw notOwner()
    await transaction.deleteFrom('collections').where('id', '=', id).execute()
  })
  return { id }
}

type Change = (transaction: Database, row: CollectionRow) => Promise<void>

/**
 * Runs a change of a collection that its owner makes, and returns the collection.
 * @throws AppError `not_found`; `forbidden` for a collection of another user, and for a hidden one
 */
export function changeOwn(caller: CollectionCaller, id: string, change: Change): Promise<Collection> {
  return changeVisible(caller, id, async (transaction, row) => {
    if (row.owner_id !== caller.viewer.id) throw notOwner()
    await change(transaction, row)
  })
}

/**
 * Runs a change of a collection that the caller sees, and returns the collection.
 * @throws AppError `not_found`; `forbidden` for a hidden one
 */
export async function changeVisible(caller: CollectionCaller, id: string, change: Change) {
  await changeAny(caller, id, async (transaction, row) => {
    if (row.hidden_at !== null) throw new AppError('forbidden', describedDetail('collection_hidden'))
    await change(transaction, row)
  })
  return readCollection(caller.services, id, caller.viewer)
}

/** Runs a change of a collection that the caller sees, also of a hidden one. @throws AppError `not_found` */
async function changeAny({ services, viewer }: CollectionCaller, id: string, change: Change): Promise<void> {
  await inTransactionOf(services, viewer, async (transaction) => {
    await outdateResponses(transaction)
    const visible = selectVisibleCollection(transaction, id, viewer)
    const row = await visible.selectAll('collections').executeTakeFirstOrThrow(collectionNotFound)
    await change(transaction, row)
  })
}

/** Selects the entries of a collection: its posts, and where they are. */
export function entriesOf(transaction: Database, id: string) {
  return transaction.selectFrom('collection_posts').where('collection_id', '=', id)
}

function notOwner(): AppError {
  return new AppError('forbidden', describedDetail('collection_by_owner_only'))
}
