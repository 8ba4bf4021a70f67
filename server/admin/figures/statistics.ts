import { statisticsDays, type DayFigures } from '../../../shared/admin.ts'
import { dayOf, msPerDay } from '../../db/gallery.ts'
import type { Database } from '../../db/open-database.ts'
import { utcDay } from '../../images/quota.ts'
import { countNewUsers } from './new-users.ts'
import { readOutcomesByDay } from './outcomes.ts'

/** Reads the figures of each of the last days, the earliest first. */
export async function readStatistics({
  db,
  now,
  config,
}: {
  readonly db: Database
  readonly now: () => number
  readonly config: { readonly auth: { readonly kind: 'local' | 'clerk' } }
}): Promise<DayFigures[]> {
  const today = dayOf(now())
  const first = today - statisticsDays + 1
  const nameOf = (day: number) => utcDay(day * msPerDay)
  const [outcomes, posts, newUsers] = await Promise.all([
    readOutcomesByDay(db, first),
    db.selectFrom('day_totals').select(['day', 'posts']).where('day', '>=', first).execute(),
    countNewUsers(db, config.auth.kind, nameOf(first)),
  ])
  const outcomesOf = new Map(outcomes.map((row) => [row.day, row]))
  const postsOf = new Map(posts.map((row) => [row.day, row.posts]))
  return Array.from({ length: statisticsDays }, (_, index) => {
    const day = first + index
    const { images = 0, failures = 0 } = outcomesOf.get(day) ?? {}
    return {
      day: nameOf(day),
      images,
      posts: postsOf.get(day) ?? 0,
      newUsers: newUsers.get(nameOf(day)) ?? 0,
      failures,
    }
  })
}
