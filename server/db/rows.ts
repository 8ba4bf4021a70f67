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

export async function hasRows(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined
}
