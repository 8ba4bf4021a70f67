import type { Quota } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { dailyUsage } from './daily-usage.ts'
import { siteUsage } from './site-usage.ts'
import { endOfUtcDay, utcDay } from './utc-day.ts'

/** What the viewer used up today and when the count starts again. */
export async function quota(
  services: {
    db: Database
    now: () => number
    dailyImageLimit: number
    dailyImageTotal: number | null
  },
  viewer: Viewer,
): Promise<Quota> {
  const { db, dailyImageLimit: limit, dailyImageTotal: total } = services
  const now = services.now()
  const day = utcDay(now)
  return {
    used: await dailyUsage(db, viewer.id, 'image', day),
    limit,
    resetsAt: endOfUtcDay(now),
    ...(total !== null && { siteRemaining: Math.max(0, total - (await siteUsage(db, day))) }),
  }
}
