import { sql } from 'kysely'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'

/** `seq` numbers of a part, hence at most as many posts. Rendering as many takes about 10 ms. */
const partLength = 2_000

/** Lists the parts of the sitemap that have listed posts, by one look into the index for each. */
export async function listSitemapParts(db: Database): Promise<number[]> {
  const firstFrom = (seq: ReturnType<typeof sql>) => sql`
    (SELECT seq / ${sql.lit(partLength)} FROM posts WHERE ${isListed()} AND seq >= ${seq} ORDER BY seq LIMIT 1)`
  const { rows } = await sql<{ part: number }>`
    WITH RECURSIVE parts (part) AS (
      SELECT ${firstFrom(sql`0`)}
      UNION ALL
      SELECT ${firstFrom(sql`(part + 1) * ${sql.lit(partLength)}`)} FROM parts WHERE part IS NOT NULL
    )
    SELECT part FROM parts WHERE part IS NOT NULL`.execute(db)
  return rows.map(({ part }) => part)
}

/** A post in the sitemap. */
interface SitemapPost {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

/** Lists the posts of a part of the sitemap. */
export async function listSitemapPosts(db: Database, part: number): Promise<SitemapPost[]> {
  return db
    .selectFrom('posts')
    .select(['id', sql<number>`coalesce(prompt_edited_at, created_at)`.as('changedAt')])
    .where(isListed())
    .where('seq', '>=', part * partLength)
    .where('seq', '<', (part + 1) * partLength)
    .orderBy('seq')
    .execute()
}
