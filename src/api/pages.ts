/**
 * Options of the query of a list that is loaded page by page.
 *
 * @param read reads the page at a cursor, null for the first one; if it takes the signal, a page that is no longer awaited is aborted
 */
export function pagesOf<Page extends { readonly nextCursor: string | null }>(
  read: (cursor: string | null, context: { readonly signal: AbortSignal }) => Promise<Page>,
) {
  return {
    queryFn: (context: { pageParam: string | null; readonly signal: AbortSignal }) =>
      read(context.pageParam, context),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  }
}
