import { damage, referenceFaults } from './database-issues.ts'
import type { CheckedSite, Fault } from './issue.ts'
import { pictureFaults } from './image-issues.ts'
import { schemaFaults } from './schema-issues.ts'
import { searchFaults } from './search-issues.ts'
import { textFaults } from './text-issues.ts'

/**
 * Everything that is wrong with what a site keeps, found beside its running server. Where the database itself is damaged
 * for good, nothing else can be said.
 *
 * @param report called with the number of pictures that were looked at
 */
export async function* checkData(
  site: CheckedSite,
  report: (done: number, total: number) => void,
): AsyncGenerator<Fault> {
  let isReadable = true
  for (const faults of [damage(site.db), schemaFaults(site.db)]) {
    for await (const fault of faults) {
      if (!fault.mend) isReadable = false
      yield fault
    }
  }
  if (!isReadable) return
  yield* referenceFaults(site.db)
  yield* textFaults(site.db)
  yield* searchFaults(site.db)
  yield* pictureFaults(site, report)
}
