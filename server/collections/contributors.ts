import { randomBytes } from 'node:crypto'
import { contributorsMax, type Collection } from '../../shared/collections.ts'
import { joinPath } from '../../shared/routes.ts'
import { inTransactionOf } from '../access/user-access.ts'
import { collectionNotFound } from '../access/visible-collection.ts'
import { outdateResponses } from '../db/gallery.ts'
import { countRows, hasRows } from '../db/rows.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { hashToken } from '../text/hash-token.ts'
import { changeOwn } from './change-collection.ts'
import { readCollection } from './collection-queries.ts'
import type { CollectionCall } from './services.ts'

const tokenBytes = 24

/**
 * Creates the link by which users join a collection of the viewer, in place of the former one. The answer is the only one that has it.
 * A collection to which only its owner adds posts is then one of invited contributors.
 */
export async function createInvitation({ ctx, input: { id } }: CollectionCall<{ readonly id: string }>) {
  const token = randomBytes(tokenBytes).toString('base64url')
  await changeOwn(ctx, id, async (transaction, { contributors }) => {
    await transaction
      .updateTable('collections')
      .set({
        invitation_hash: hashToken(token),
        contributors: contributors === 'owner' ? 'invited' : contributors,
      })
      .where('id', '=', id)
      .execute()
  })
  return { path: joinPath(token) }
}

/** Ends the link by which users join a collection of the viewer. Those who have joined stay. Idempotent. */
export async function revokeInvitation({ ctx, input: { id } }: CollectionCall<{ readonly id: string }>) {
  await changeOwn(ctx, id, async (transaction) => {
    await transaction.updateTable('collections').set({ invitation_hash: null }).where('id', '=', id).execute()
  })
  return { id }
}

/** Joins the collection of an invitation. Idempotent. @throws AppError `not_found` for a link that has ended */
export async function joinCollection({
  ctx: { services, viewer },
  input: { token },
}: CollectionCall<{ readonly token: string }>): Promise<Collection> {
  const id = await inTransactionOf(services, viewer, async (transaction) => {
    // Waits for other users who join, and for changes by the owner.
    await outdateResponses(transaction)
    const collection = await transaction
      .selectFrom('collections')
      .select(['id', 'owner_id'])
      .where('invitation_hash', '=', hashToken(token))
      .where('hidden_at', 'is', null)
      .executeTakeFirstOrThrow(collectionNotFound)
    if (collection.owner_id === viewer.id) return collection.id
    const contributors = transaction
      .selectFrom('collection_contributors')
      .where('collection_id', '=', collection.id)
    if (await hasRows(contributors.select('user_id').where('user_id', '=', viewer.id))) return collection.id
    if ((await countRows(contributors)) >= contributorsMax) {
      throw new AppError('bad_input', describedDetail('contributors_max', { max: contributorsMax }))
    }
    await transaction
      .insertInto('collection_contributors')
      .values({ collection_id: collection.id, user_id: viewer.id, joined_at: services.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return collection.id
  })
  return readCollection(services, id, viewer)
}
