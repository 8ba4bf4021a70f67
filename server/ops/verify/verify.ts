import { damage, referenceIssues } from './database-issues.ts'
import type { CheckedSite, Fault } from './issue.ts'
import { imageIssues } from './image-issues.ts'
import { schemaIssues } from './schema-issues.ts'
import { searchIssues } from './search-issues.ts'
import { textIssues } from './text-issues.ts'

/**
 * Everything that is wrong with what a site keeps, found beside its running server. Where the database itself is damaged
 * for good, nothing else can be said.
 *
 * @param report called with the number of images that were looked at
 */
export async function* checkData(
  site: CheckedSite,
  report: (done: number, total: number) => void,
): AsyncGenerator<Fault> {
  let isReadable = true
  for (const faults of [damage(site.db), schemaIssues(site.db)]) {
    for await (const fault of faults) {
      if (!fault.mend) isReadable = false
      yield fault
    }
  }
  if (!isReadable) return
  yield* referenceIssues(site.db)
  yield* textIssues(site.db)
  yield* searchIssues(site.db)
  yield* imageIssues(site, report)
}
