/**
 * Options of the query of a list that is loaded page by page.
 *
 * @param read reads the page at a cursor; null for the first one
 */
export function pagesOf<Page extends { readonly nextCursor: string | null }>(
  read: (cursor: string | null) => Promise<Page>,
) {
  return {
    queryFn: ({ pageParam }: { pageParam: string | null }) => read(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  }
}
