import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { imageFilters, trashDays, type ImageFilter } from '../../../../shared/images.ts'
import { pagePaths } from '../../../../shared/routes.ts'
import { useSite } from '../../../api/site.tsx'
import type { Viewer } from '../../../../shared/viewer.ts'
import { EmptyMotif } from '../../../ui/brand.tsx'
import { Button, buttonClass, RetryButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useCreation } from '../use-creation.ts'
import { useOwnImages } from '../use-own-images.ts'
import { ClearFailed, EmptyTrash } from './deletion.tsx'
import { ImageGrid } from './image-grid.tsx'
import { ModerationNotices } from './moderation-notices.tsx'
import { PlaceholderGrid } from './placeholder-grid.tsx'
import { SelectionBar, useSelection } from './selection-bar.tsx'
import { useShowMore } from '../../../ui/entry-list.tsx'
import { useDialog } from '../../../ui/dialog.tsx'
import styles from './your-images-screen.module.css'

const tabLabels: Readonly<Record<ImageFilter, MessageDescriptor>> = {
  all: msg({ message: 'All', comment: 'Tab with all images' }),
  shared: msg({ message: 'Shared', context: 'tab', comment: 'Tab with shared images' }),
  failed: msg({ message: 'Failed', comment: 'Tab with images that could not be generated' }),
  trash: msg({ message: 'Trash', comment: 'Tab with deleted images' }),
}

/** Returns the address of a tab. */
function tabPath(filter: ImageFilter): string {
  return filter === 'all' ? pagePaths.yourImages : `${pagePaths.yourImages}?show=${filter}`
}

/** A user's images in tabs, with their actions. */
export function YourImagesScreen({ viewer }: { viewer: Viewer }) {
  const { i18n, t } = useLingui()
  const query = useSearch()
  const shown = new URLSearchParams(query).get('show')
  const filter = imageFilters.find((name) => name === shown) ?? 'all'
  const [, navigate] = useLocation()
  const headingId = useId()
  const { unsharedImageDays } = useSite()
  const creation = useCreation(viewer)
  // The form, which watches a running generation, is on another page.
  const ownImages = useOwnImages(filter, [])
  const { listed } = ownImages
  const { list, showMore } = useShowMore(
    ownImages,
    listed.length,
    (added) => t`${plural(added, { one: 'One more image.', other: '# more images.' })}`,
  )
  const isTrash = filter === 'trash'
  const selectable = isTrash ? [] : listed.filter(({ state }) => state === 'succeeded' || state === 'failed')
  const { selection, ...select } = useSelection(selectable.map(({ id }) => id))
  const isSelecting = select.isSelecting && !isTrash
  const selected = selectable.filter(({ id }) => selection.ids.has(id))
  const [dialog, openDialog] = useDialog()
  const clearFailed = () => openDialog(<ClearFailed />)
  const emptyTrash = () => openDialog(<EmptyTrash />)
  const isLoading = ownImages.images === null && !ownImages.failure

  return (
    <>
      <ModerationNotices />
      <section aria-labelledby={headingId} className="stack widest">
        <div className={`row ${styles['top']}`}>
          <nav aria-label={t`Your images`} className={`row ${styles['tabs']}`}>
            {imageFilters.map((name) => (
              <Link
                key={name}
                href={tabPath(name)}
                className="hoverable"
                replace
                id={name === filter ? headingId : undefined}
                aria-current={name === filter ? 'page' : undefined}
              >
                {i18n._(tabLabels[name])}
              </Link>
            ))}
          </nav>
          <div className="row">
            {filter === 'failed' && listed.length > 0 && !isSelecting && (
              <Button onClick={clearFailed}>
                <Trans>Clear failed</Trans>
              </Button>
            )}
            {isTrash && listed.length > 0 && (
              <Button onClick={emptyTrash}>
                <Trans>Empty trash</Trans>
              </Button>
            )}
            {(isSelecting || selectable.length > 0) && (
              <Button onClick={isSelecting ? select.end : select.start}>
                {isSelecting
                  ? t({ message: 'Done', comment: 'Button that ends the selection of images' })
                  : t({ message: 'Select', comment: 'Button that starts the selection of images' })}
              </Button>
            )}
          </div>
        </div>
        {isLoading && <PlaceholderGrid />}
        {filter === 'all' && listed.length > 0 && unsharedImageDays !== null && (
          <p className="quiet">
            {t`${plural(unsharedImageDays, { one: 'Images that you do not share move to the trash after # day.', other: 'Images that you do not share move to the trash after # days.' })}`}
          </p>
        )}
        {isTrash && listed.length > 0 && (
          <p className="quiet">
            {t`Images stay in the trash for ${trashDays} days. Restored ones return with their posts and likes.`}
          </p>
        )}
        <ImageGrid
          list={list}
          images={listed}
          creation={creation}
          isTrash={isTrash}
          selection={isSelecting ? selection : null}
          onTaken={() => navigate(pagePaths.create)}
        />
        {listed.length === 0 && !isLoading && !ownImages.failure && !ownImages.hasMore && (
          <Empty filter={filter} />
        )}
        <Notice action={<RetryButton onClick={ownImages.retry} />}>{ownImages.failure}</Notice>
        {ownImages.hasMore && (
          <div className={styles['more']}>
            <Button aria-disabled={ownImages.isLoadingMore} onClick={showMore}>
              {ownImages.isLoadingMore ? t`Loading…` : t`Show more`}
            </Button>
          </div>
        )}
        {isSelecting && (
          <SelectionBar
            images={selected}
            total={selectable.length}
            onSelectAll={select.selectAll}
            onSelectNone={select.selectNone}
            onDeleted={creation.remove}
          />
        )}
        {dialog}
      </section>
    </>
  )
}

const emptySentences: Readonly<Record<ImageFilter, MessageDescriptor>> = {
  all: msg`You have not generated or uploaded an image yet.`,
  shared: msg`You have not shared an image yet. Others see only what you share.`,
  failed: msg`Nothing here: no image has failed.`,
  trash: msg`The trash is empty. Images that you delete stay here for ${trashDays} days.`,
}

function Empty({ filter }: { filter: ImageFilter }) {
  const { i18n } = useLingui()
  return (
    <div className={`stack quiet ${styles['empty']}`}>
      <EmptyMotif />
      <p>{i18n._(emptySentences[filter])}</p>
      {(filter === 'all' || filter === 'shared') && (
        <Link href={pagePaths.create} className={buttonClass('primary')}>
          <Trans>Create</Trans>
        </Link>
      )}
    </div>
  )
}
