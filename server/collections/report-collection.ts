import type { z } from 'zod'
import { requireVisibleCollection } from '../access/visible-collection.ts'
import { inTransaction } from '../db/transaction.ts'
import { mailModerators } from '../mail/notices.ts'
import type { reportInput } from '../posts/inputs.ts'
import type { CollectionsServices } from './services.ts'

/** Reports a collection to the moderators, without the reporter. @throws AppError `not_found`, also for a hidden or private one */
export async function reportCollection(
  services: CollectionsServices,
  { id, reason, comment }: z.output<typeof reportInput>,
): Promise<{ id: string }> {
  await inTransaction(services.db, async (transaction) => {
    await requireVisibleCollection(transaction, id, null)
    await transaction
      .insertInto('collection_reports')
      .values({ collection_id: id, reason, comment, created_at: services.now() })
      .execute()
    await mailModerators(services, transaction)
  })
  services.log.info({ collectionId: id, reason }, 'a collection was reported')
  return { id }
}
