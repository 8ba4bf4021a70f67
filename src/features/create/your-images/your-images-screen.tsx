import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { Link, useLocation, useRouter } from 'wouter'
import { imageShapes } from '../../../../shared/image-files.ts'
import { imageFilters, trashDays, type ImageFilter } from '../../../../shared/images.ts'
import { searchLimit } from '../../../../shared/limits.ts'
import type { ModerationNotice } from '../../../../shared/moderation.ts'
import type { ListAddress } from '../../../../shared/page-data.ts'
import { pagePaths, postPath } from '../../../../shared/routes.ts'
import type { Viewer } from '../../../../shared/viewer.ts'
import { failureMessage } from '../../../api/failure.ts'
import { galleryAddress, listAddressIn, listParameters } from '../../../api/list-address.ts'
import { useSite } from '../../../api/site.tsx'
import { trpc } from '../../../api/trpc.ts'
import { engineLabel, shapeLabels, SmallImage } from '../../../images/image.tsx'
import { EmptyMotif } from '../../../ui/empty-motif.tsx'
import { Button, buttonClass, RetryButton } from '../../../ui/button.tsx'
import { DateTime } from '../../../ui/formats.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { shorten, UserText } from '../../../ui/text.tsx'
import { useDialog } from '../../../ui/use-dialog.tsx'
import { useSearchText } from '../../../ui/use-search-text.ts'
import { AppealForm, NoticeFacts } from '../../post/hidden-post.tsx'
import { CreationContext, useCreationOf } from '../use-creation.ts'
import type { ImageList } from '../use-own-images.ts'
import { ClearList } from './deletion.tsx'
import { isSelectable, SelectionBar, useSelection } from './selection-bar.tsx'
import { Timeline } from './timeline.tsx'
import { PlaceholderGrid, PlaceholderScreen } from './your-images-page.tsx'
import styles from './your-images-screen.module.css'

const tabLabels: Readonly<Record<ImageFilter, MessageDescriptor>> = {
  all: msg({ message: 'All', comment: 'Tab with all images' }),
  shared: msg({ message: 'Shared', context: 'tab', comment: 'Tab with shared images' }),
  failed: msg({ message: 'Failed', comment: 'Tab with images that could not be generated' }),
  trash: msg({ message: 'Trash', comment: 'Tab with deleted images' }),
}

/** Number of images that are loaded at once. */
const pageSize = 100

/** In the address, the engine of images that were uploaded. */
const uploads = 'uploads'

/** What the address says that is listed. */
interface ListedPart extends ListAddress {
  readonly filter: ImageFilter
}

function partIn(query: string): ListedPart {
  const shown = new URLSearchParams(query).get('show')
  const filter = imageFilters.find((name) => name === shown) ?? 'all'
  return { ...listAddressIn(pagePaths.yourImages, query), filter }
}

function pathOf({ filter, ...address }: ListedPart): string {
  const parameters = new URLSearchParams({
    ...(filter !== 'all' && { show: filter }),
    ...(address.search && { q: address.search }),
    ...listParameters(address),
  })
  return parameters.size > 0 ? `${pagePaths.yourImages}?${parameters}` : pagePaths.yourImages
}

/** A user's images by month, which are searched and filtered, with their actions. */
export function YourImagesScreen({ viewer }: { viewer: Viewer }) {
  const { i18n, t } = useLingui()
  const router = useRouter()
  const part = partIn(router.searchHook(router))
  const { filter, search, engine, shape } = part
  const [, navigate] = useLocation()
  const headingId = useId()
  const { unsharedImageDays } = useSite()
  const creation = useCreationOf(viewer)
  const list = {
    filter,
    search: search || undefined,
    engine: engine === uploads ? '' : (engine ?? undefined),
    shape: shape ?? undefined,
  }
  const { sections, total, failure, retry } = useSections(list)
  const notices = trpc.moderation.notices.useQuery()
  const count = total ?? 0
  const isTrash = filter === 'trash'
  const utils = trpc.useUtils()
  const readLoaded = () =>
    (sections ?? []).flatMap((section) => {
      const data = utils.images.list.getInfiniteData(section.list)
      return data?.pages.flatMap(({ images }) => images) ?? []
    })
  const address = pathOf(part)
  const selection = useSelection(address, readLoaded)
  const { isActive: isSelecting } = selection
  const [dialog, openDialog] = useDialog()
  const clear = () => openDialog(<ClearList isTrash={isTrash} />)
  const isNarrowed = search !== '' || engine !== null || shape !== null

  // They are above the images, which would move.
  if (notices.isPending) return <PlaceholderScreen />
  return (
    <CreationContext value={creation}>
      <ModerationNotices notices={notices.data ?? []} />
      <section aria-labelledby={headingId} className="stack">
        <div className={`row centered ${styles['top']}`}>
          <SearchField
            search={search}
            onSearch={(next) => navigate(pathOf({ ...part, search: next }), { replace: true })}
          />
          <div className={styles['filters']}>
            <nav aria-label={t`Your images`} className="card segments">
              {imageFilters.map((name) => (
                <Link
                  key={name}
                  href={pathOf({ ...part, filter: name })}
                  className="quiet small hoverable tab segment"
                  replace
                  id={name === filter ? headingId : undefined}
                  aria-current={name === filter ? 'page' : undefined}
                >
                  {i18n._(tabLabels[name])}
                </Link>
              ))}
            </nav>
            <Chips part={part} />
          </div>
        </div>
        <div className={`ends centered ${styles['summary']}`}>
          <p role="status" className="strong tabular">
            {total !== null && t`${plural({ count: total }, { one: '# image', other: '# images' })}`}
          </p>
          <div className="row">
            {(isTrash || filter === 'failed') && count > 0 && !isSelecting && !isNarrowed && (
              <Button onClick={clear}>{isTrash ? t`Empty trash` : t`Clear failed`}</Button>
            )}
            {!isTrash && (isSelecting || count > 0) && (
              <Button onClick={isSelecting ? selection.end : () => selection.select([])}>
                {isSelecting
                  ? t({ message: 'Done', comment: 'Button that ends the selection of images' })
                  : t({ message: 'Select', comment: 'Button that starts the selection of images' })}
              </Button>
            )}
          </div>
        </div>
        {filter === 'all' && count > 0 && unsharedImageDays !== null && (
          <p className="quiet">
            {t`${plural(unsharedImageDays, { one: 'Images that you do not share move to the trash after # day.', other: 'Images that you do not share move to the trash after # days.' })}`}
          </p>
        )}
        {isTrash && count > 0 && (
          <p className="quiet">
            {t`Images stay in the trash for ${trashDays} days. Restored ones return with their posts and likes.`}
          </p>
        )}
        {sections === null && !failure && <PlaceholderGrid />}
        {sections !== null && count > 0 && (
          <Timeline key={address} sections={sections} total={count} selection={isTrash ? null : selection} />
        )}
        {total === 0 && <Empty part={part} isNarrowed={isNarrowed} />}
        <Notice action={<RetryButton onClick={retry} />}>{failure}</Notice>
        {isSelecting && (
          <SelectionBar
            selection={selection}
            list={list}
            total={count - readLoaded().filter((image) => !isSelectable(image)).length}
          />
        )}
        {dialog}
      </section>
    </CreationContext>
  )
}

/** Finds the parts of a list: months, or one part where the order is another than that of their creation. */
function useSections(narrowed: ImageList) {
  const { i18n, t } = useLingui()
  const { data, error, refetch } = trpc.images.months.useQuery(narrowed, { refetchOnMount: 'always' })
  const list = { ...narrowed, limit: pageSize }
  const total = data ? data.months.reduce((sum, { count }) => sum + count, 0) : null
  const months = data?.months.map(({ month, count }) => {
    const start = new Date(`${month}-01T00:00:00Z`)
    const end = new Date(start)
    end.setUTCMonth(start.getUTCMonth() + 1)
    return { month, count, list: { ...list, from: start.toISOString(), to: end.toISOString() } }
  })
  const isDated = narrowed.filter === 'all' || narrowed.filter === 'failed'
  return {
    sections: isDated || total === null ? (months ?? null) : [{ month: null, count: total, list }],
    total,
    failure:
      error && !data
        ? (failureMessage(error, i18n) ?? t`Your images could not be loaded. Try again in a moment.`)
        : null,
    retry: () => void refetch(),
  }
}

/** Searches while the user types. */
function SearchField({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const { t } = useLingui()
  const [text, setText] = useSearchText(search, onSearch)
  return (
    <form
      role="search"
      className={styles['search']}
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <input
        type="search"
        className="control"
        dir="auto"
        aria-label={t`Search your images`}
        placeholder={t`Words of a prompt`}
        maxLength={searchLimit.codeUnits}
        autoComplete="off"
        enterKeyHint="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  )
}

/** Links that narrow the list by shape and engine, or widen it again. */
function Chips({ part }: { part: ListedPart }) {
  const { i18n, t } = useLingui()
  const { data } = trpc.engines.list.useQuery()
  const engines = [
    ...(data?.engines ?? []).map(({ id, label }) => ({ id, label: engineLabel(label, i18n) })),
    { id: uploads, label: t({ message: 'Uploads', comment: 'Images that were uploaded' }) },
  ]
  const chip = (key: 'shape' | 'engine', value: string, label: string) => (
    <li key={label}>
      <Link
        href={pathOf({ ...part, [key]: part[key] === value ? null : value })}
        replace
        className="chip small hoverable"
        aria-current={part[key] === value || undefined}
      >
        {label}
      </Link>
    </li>
  )
  return (
    <>
      <ul aria-label={t`Shape`} className="row tightest">
        {imageShapes.map((shape) => chip('shape', shape, i18n._(shapeLabels[shape])))}
      </ul>
      <ul aria-label={t`Engine`} className="row tightest">
        {engines.map(({ id, label }) => chip('engine', id, label))}
      </ul>
    </>
  )
}

const emptySentences: Readonly<Record<ImageFilter, MessageDescriptor>> = {
  all: msg`You have not generated or uploaded an image yet.`,
  shared: msg`You have not shared an image yet. Others see only what you share.`,
  failed: msg`Nothing here: no image has failed.`,
  trash: msg`The trash is empty. Images that you delete stay here for ${trashDays} days.`,
}

function Empty({ part, isNarrowed }: { part: ListedPart; isNarrowed: boolean }) {
  const { i18n, t } = useLingui()
  const { filter } = part
  return (
    <div className="stack quiet vacant">
      <EmptyMotif />
      {isNarrowed ? (
        <>
          <p>{t`No image of yours is like this.`}</p>
          <Link href={pathOf({ ...galleryAddress, filter })} replace className={buttonClass('plain')}>
            <Trans>Show all</Trans>
          </Link>
        </>
      ) : (
        <>
          <p>{i18n._(emptySentences[filter])}</p>
          {(filter === 'all' || filter === 'shared') && (
            <Link href={pagePaths.create} className={buttonClass('primary')}>{t`Create`}</Link>
          )}
        </>
      )}
    </div>
  )
}

/** Decisions of moderators and administrators about the viewer's posts, with their reasons; nothing without any. */
function ModerationNotices({ notices }: { notices: readonly ModerationNotice[] }) {
  const headingId = useId()
  if (notices.length === 0) return null
  return (
    <section aria-labelledby={headingId} className={`stack wider ${styles['notices']}`}>
      <h2 id={headingId}>
        <Trans>Decisions about your posts</Trans>
      </h2>
      <ul className="stack wider">
        {notices.map((notice) => (
          <NoticeItem key={notice.postId} notice={notice} />
        ))}
      </ul>
    </section>
  )
}

const stateSentences: Readonly<Record<ModerationNotice['state'], MessageDescriptor>> = {
  hidden: msg`This post was hidden. Only you, moderators and administrators see its image.`,
  restored: msg`This post is visible again.`,
  deleted: msg`An administrator has deleted a post of yours with its image.`,
}

function NoticeItem({ notice }: { notice: ModerationNotice }) {
  const { i18n } = useLingui()
  const { post, state, appeal } = notice
  const sentenceId = useId()
  return (
    <li className={`stack card padded ${styles['notice']}`}>
      {post && <SmallImage image={post} className={styles['noticeImage']} />}
      <div className={`stack tight breakable ${styles['noticeFacts']}`}>
        <p id={sentenceId} tabIndex={-1} className="strong">
          {i18n._(stateSentences[state])}
        </p>
        <p className="quiet small">
          {post && (
            <>
              <Link href={postPath(post.id)}>
                <UserText as="q" text={shorten(post.prompt)} />
              </Link>
              {' · '}
            </>
          )}
          <DateTime at={notice.createdAt} />
        </p>
        {/* The page of a hidden post has the rest. */}
        <NoticeFacts notice={notice} className={post && state === 'hidden' ? 'clamp' : undefined} />
      </div>
      {state === 'hidden' && !appeal && (
        <AppealForm
          postId={notice.postId}
          sentenceId={sentenceId}
          className={`stack wider ${styles['appeal']}`}
        />
      )}
    </li>
  )
}
