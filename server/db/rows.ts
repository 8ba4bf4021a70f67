import type { SelectQueryBuilder } from 'kysely'

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
