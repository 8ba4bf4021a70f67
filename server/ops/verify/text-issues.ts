import type { Database } from '../../db/open-database.ts'
import { searchText } from '../../posts/search/normalize.ts'
import type { Fault } from './issue.ts'

const batchSize = 1_000

/** Posts that are searched by another text than they show, as after a change by hand. */
export async function* textIssues(db: Database): AsyncGenerator<Fault> {
  for (let last = 0; ;) {
    const posts = await db
      .selectFrom('posts')
      .select(['seq', 'id', 'name', 'prompt', 'search_text'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(batchSize)
      .execute()
    for (const { id, name, prompt, search_text } of posts) {
      const expected = searchText(name, prompt)
      if (expected === search_text) continue
      yield {
        what: `The post ${id} is searched by another text than it shows`,
        async mend() {
          await db
            .updateTable('posts')
            .set({ search_text: expected })
            .where('id', '=', id)
            .where('name', '=', name)
            .where('prompt', '=', prompt)
            .execute()
        },
      }
    }
    const newest = posts.at(-1)
    if (!newest) return
    last = newest.seq
  }
}
