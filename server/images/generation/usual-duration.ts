import type { Database } from '../../db/open-database.ts'

/** Number of images in the sample. */
const sampleSize = 21

/** Median duration of an engine's latest images with a model, or with any if it is null, in seconds; null without any. */
export async function usualSeconds(
  db: Database,
  { id, model }: { id: string; model: string | null },
): Promise<number | null> {
  const rows = await db
    .selectFrom('images')
    .select(({ eb }) => eb('finished_at', '-', eb.ref('started_at')).as('duration'))
    .where('engine', '=', id)
    .$if(model !== null, (query) => query.where('model', '=', model))
    .where('state', '=', 'succeeded')
    .where('started_at', 'is not', null)
    .where('finished_at', 'is not', null)
    // Excludes images during which the clock was set back.
    .whereRef('finished_at', '>=', 'started_at')
    // The order of an index over all models.
    .$if(model === null, (query) => query.orderBy('turn', 'desc'))
    .orderBy('seq', 'desc')
    .limit(sampleSize)
    .execute()
  const durations = rows.flatMap(({ duration }) => duration ?? []).toSorted((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)]
  return median === undefined ? null : median / 1_000
}
