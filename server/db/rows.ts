import type { DeleteResult, SelectQueryBuilder } from 'kysely'

/** Counts the rows of a query that selects no columns. */
export async function countRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const { rows } = await query
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .$castTo<{ rows: number }>()
    .executeTakeFirstOrThrow()
  return rows
}

/** Checks whether a query has rows, and reads one at most. */
export async function hasRows(query: {
  limit(rows: number): { executeTakeFirst(): Promise<unknown> }
}): Promise<boolean> {
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Runs deletions, one after another. @returns number of the deleted rows */
export async function deleteRows(
  deletions: readonly { executeTakeFirst(): Promise<DeleteResult> }[],
): Promise<number> {
  let deleted = 0
  for (const deletion of deletions) deleted += Number((await deletion.executeTakeFirst()).numDeletedRows)
  return deleted
}
