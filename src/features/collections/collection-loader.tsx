import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import type { Collection } from '../../../shared/collections.ts'
import { nullIfMissing } from '../../api/missing.ts'
import { pageKeys } from '../../api/page-data.ts'
import { reloadLists } from '../../api/post-changes.ts'
import { trpc } from '../../api/trpc.ts'
import { useTitle } from '../../api/use-title.ts'
import { Spinner } from '../../ui/loading.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { useSession } from '../auth/session.ts'

/** Shows a collection, first as every visitor sees it, then as the viewer does, or that there is none to see. */
export function CollectionLoader(props: { id: string; children: (collection: Collection) => ReactNode }) {
  const { id } = props
  const { t } = useLingui()
  const { status, viewer } = useSession()
  const { client } = trpc.useUtils()
  const queryClient = useQueryClient()
  const placeholder = queryClient.getQueryData<Collection | null>(pageKeys.collection(id, null))
  const query = useQuery<Collection | null>({
    queryKey: pageKeys.collection(id, viewer?.id ?? null),
    queryFn: ({ signal }) => nullIfMissing(client.collections.get.query({ id }, { signal })),
    ...(placeholder !== undefined && { placeholderData: placeholder }),
    // Until then it is not known how the viewer sees it.
    enabled: status !== 'loading',
  })
  const { data } = query
  useTitle(data?.title)
  const hasVisitorsPosts = viewer !== null && placeholder !== undefined
  useEffect(() => {
    // Those of the document lack the viewer's own private posts, and what the viewer has added.
    if (hasVisitorsPosts) reloadLists(queryClient)
  }, [hasVisitorsPosts, queryClient])
  if (data) return props.children(data)
  if (data === null) return <NotFoundPage />
  return (
    <QueryState
      query={query}
      failed={t`The collection could not be loaded. Try again in a moment.`}
      placeholder={<Spinner label={t`Loading the collection`} size="large" />}
    />
  )
}

/** Returns a function that loads everything about collections again, after a change. */
export function useReloadCollections(): () => Promise<void> {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  return async () => {
    reloadLists(queryClient)
    await Promise.all([
      api.collections.invalidate(),
      queryClient.invalidateQueries({ queryKey: pageKeys.collections }),
    ])
  }
}
