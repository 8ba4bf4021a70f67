import type { Quota } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { dailyUsage } from './daily-usage.ts'
import { endOfUtcDay, utcDay } from './utc-day.ts'

/** What the viewer used up today and when the count starts again. */
export async function quota(
  services: { db: Database; now: () => number; dailyImageLimit: number },
  viewer: Viewer,
): Promise<Quota> {
  const now = services.now()
  return {
    used: await dailyUsage(services.db, viewer.id, 'image', utcDay(now)),
    limit: services.dailyImageLimit,
    resetsAt: endOfUtcDay(now),
  }
}
