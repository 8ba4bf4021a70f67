import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { Link, useLocation, useRouter } from 'wouter'
import type { Collection, CollectionPage as Page } from '../../../shared/collections.ts'
import { pageSize, searchLimit } from '../../../shared/limits.ts'
import { collectionPath, pagePaths } from '../../../shared/routes.ts'
import { pageKeys } from '../../api/page-data.ts'
import { pagesOf } from '../../api/pages.ts'
import { usePageData } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { useHydrated } from '../../browser/hydration.ts'
import { EmptyMotif } from '../../ui/empty-motif.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Page as FramedPage } from '../../ui/page.tsx'
import { UserText } from '../../ui/text.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { NextPage } from '../auth/call-failure.tsx'
import { useSession, useWhenSignedIn } from '../auth/session.ts'
import styles from './collections.module.css'
import { CoverImage } from './cover.tsx'
import { EditCollection } from './edit-dialogs.tsx'

/** The public collections, and those of the viewer. */
export function CollectionsPage() {
  const { t } = useLingui()
  const router = useRouter()
  const [, navigate] = useLocation()
  const { viewer } = useSession()
  const whenSignedIn = useWhenSignedIn()
  const [dialog, open] = useDialog()
  const isHydrated = useHydrated()
  const query = new URLSearchParams(router.searchHook(router))
  const search = query.get('q')?.trim() ?? ''
  const cursor = query.get('cursor')
  const { collections: rendered } = usePageData()
  const [text, setText] = useSearchText(search, (term) => navigate(addressOf(term, null), { replace: true }))
  const { client } = trpc.useUtils()
  const isRendered = rendered?.search === search && rendered.cursor === cursor
  const list = useInfiniteQuery({
    queryKey: pageKeys.collectionList(search, cursor),
    ...pagesOf<Page>((from, { signal }) =>
      client.collections.list.query({ search, cursor: from, limit: pageSize }, { signal }),
    ),
    initialPageParam: cursor,
    ...(isRendered && { initialData: { pages: [rendered], pageParams: [cursor] } }),
  })
  const input = { isMine: true as const, search, limit: pageSize }
  const mine = useInfiniteQuery({
    queryKey: getQueryKey(trpc.collections.list, input, 'infinite'),
    ...pagesOf((from) => client.collections.list.query({ ...input, cursor: from })),
    enabled: viewer !== null,
  })
  const own = (viewer && mine.data?.pages.flatMap((page) => page.collections)) ?? []
  // The own ones are above: the others wait for them, unless the document has these.
  const isFirst = viewer !== null && mine.isPending && !isRendered
  const found = (isFirst ? undefined : list.data)?.pages
    .flatMap((page) => page.collections)
    // In place until the own ones are known, so that the page moves once.
    .filter(
      ({ id, ownerId }) => own.length === 0 || (ownerId !== viewer?.id && own.every((one) => one.id !== id)),
    )
  const last = list.data?.pages.at(-1)?.nextCursor
  const more = {
    label: t`Load more`,
    failed: t`The collections could not be loaded. Try again in a moment.`,
  }
  const create = () =>
    whenSignedIn(() =>
      open(<EditCollection collection={null} onSaved={({ id }) => navigate(collectionPath(id))} />),
    )
  return (
    <FramedPage title={t`Collections`} intro={t`Images of many authors, put together by theme.`}>
      <div className={`row wider centered ${styles['toolbar']}`}>
        <form role="search" action={pagePaths.collections} onSubmit={(event) => event.preventDefault()}>
          <input
            className="control"
            type="search"
            name="q"
            dir="auto"
            aria-label={t`Search collections`}
            placeholder={t`Search collections`}
            maxLength={searchLimit.codeUnits}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </form>
        <Button variant="primary" onClick={create}>{t`New collection`}</Button>
      </div>
      {own.length > 0 && <Covers title={t`Yours`} collections={own} />}
      {viewer && !mine.isPending && <NextPage query={mine} {...more} />}
      {found && found.length > 0 && (
        <Covers title={own.length > 0 ? t`From others` : null} collections={found} />
      )}
      {found?.length === 0 && own.length === 0 && (
        <section className="stack wider card vacant">
          <EmptyMotif />
          <h2>{search ? t`No collection was found` : t`No collections yet`}</h2>
          <p className="quiet">
            {search
              ? t`Try other words.`
              : t`A collection gathers images by any authors: of a class, an evening, a wall to decorate.`}
          </p>
        </section>
      )}
      {isHydrated || !last ? (
        <NextPage query={isFirst ? mine : list} {...more} />
      ) : (
        <a href={addressOf(search, last)} rel="next" className={buttonClass('plain')}>{t`Next page`}</a>
      )}
      {dialog}
    </FramedPage>
  )
}

function addressOf(search: string, cursor: string | null): string {
  const query = new URLSearchParams({ ...(search && { q: search }), ...(cursor && { cursor }) }).toString()
  return query ? `${pagePaths.collections}?${query}` : pagePaths.collections
}

/** Collections as covers, the images first. */
function Covers({ title, collections }: { title: string | null; collections: readonly Collection[] }) {
  const { t } = useLingui()
  return (
    <section className="stack">
      {title !== null && <h2>{title}</h2>}
      <ul className={styles['covers']} aria-label={title ?? t`Collections`}>
        {collections.map(({ id, title: name, cover, postCount, ownerName }) => (
          <li key={id}>
            <Link href={collectionPath(id)} className={`stack tightest ${styles['collection']}`}>
              <CoverImage cover={cover} size="large" />
              <UserText as="h3" text={name} className="clamp" />
              <span className="line quiet small">
                {ownerName !== null && <UserText text={ownerName} className="ellipsis" />}
                <span className="tabular">
                  {t`${plural({ count: postCount }, { one: '# image', other: '# images' })}`}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
