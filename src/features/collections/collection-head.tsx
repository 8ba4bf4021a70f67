import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Collection } from '../../../shared/collections.ts'
import { authorPath, collectionFeedPath, pagePaths, wallPath } from '../../../shared/routes.ts'
import { EmptyMotif } from '../../ui/brand.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Badge, MoreMenu } from '../../ui/entry-list.tsx'
import { Day } from '../../ui/formats.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { PageHeading } from '../../ui/page.tsx'
import { UserText } from '../../ui/text.tsx'
import { useSession } from '../auth/session.ts'
import { ReportDialog } from '../moderation/report-dialog.tsx'
import styles from './collections.module.css'
import { DeleteCollection, EditCollection, FeatureCollection, InviteContributors } from './edit-dialogs.tsx'
import { trpc } from '../../api/trpc.ts'

/** Title, owner and state of a collection, and what its viewer can do with it. */
export function CollectionHead({ collection }: { collection: Collection }) {
  const { t } = useLingui()
  const { id, isOwner, ownerId, ownerName, visibility, postCount, featuredUntil } = collection
  const { viewer } = useSession()
  const { client } = trpc.useUtils()
  const [, navigate] = useLocation()
  const [dialog, open] = useDialog()
  const isAdministrator = viewer?.role === 'administrator'
  const item = (label: string, content: ReactNode): MenuItem => ({ label, onSelect: () => open(content) })
  const onDeleted = () => navigate(pagePaths.collections)
  const items = [
    isOwner && item(t`Edit`, <EditCollection collection={collection} />),
    isOwner && item(t`Invite people`, <InviteContributors collection={collection} />),
    isAdministrator &&
      visibility === 'public' &&
      item(t`Theme of the gallery`, <FeatureCollection collection={collection} />),
    !isOwner &&
      item(
        t({ message: 'Report', context: 'action' }),
        <ReportDialog
          title={t`Report this collection`}
          report={(reason, comment) => client.collections.report.mutate({ id, reason, comment })}
        />,
      ),
    (isOwner || isAdministrator) &&
      item(t`Delete`, <DeleteCollection collection={collection} onDeleted={onDeleted} />),
  ].filter((one) => one !== false)
  return (
    <div className={`ends ${styles['head']}`}>
      <div className="stack tight">
        <PageHeading title={<UserText text={collection.title} />}>
          {collection.description && <UserText className="lines" text={collection.description} />}
        </PageHeading>
        <p className="line quiet small">
          {ownerName !== null && (
            <Link href={authorPath(ownerId)} className="plainLink strong">
              <UserText text={ownerName} />
            </Link>
          )}
          <span className="tabular">
            {t`${plural({ count: postCount }, { one: '# image', other: '# images' })}`}
          </span>
          {visibility === 'unlisted' && <Badge>{t`Unlisted`}</Badge>}
          {visibility === 'private' && <Badge>{t`Private`}</Badge>}
          {collection.isHidden && <Badge tone="danger">{t`Hidden by a moderator`}</Badge>}
          {visibility !== 'private' && !collection.isHidden && <a href={collectionFeedPath(id)}>{t`Feed`}</a>}
          {featuredUntil !== null && (
            <Badge tone="accent">
              <Trans>
                Theme until <Day at={featuredUntil} />
              </Trans>
            </Badge>
          )}
        </p>
      </div>
      <div className="row">
        <Link href={wallPath(id)} className={buttonClass('plain')}>
          {t`Wall`}
        </Link>
        {items.length > 0 && <MoreMenu items={items} />}
      </div>
      {dialog}
    </div>
  )
}

/** Says that a collection has no posts, and how it gets some. */
export function EmptyCollection({ collection }: { collection: Collection }) {
  const { t } = useLingui()
  return (
    <section className="stack wider card vacant">
      <EmptyMotif />
      <h2>{t`No images yet`}</h2>
      <p className="quiet">
        {collection.mayAdd
          ? t`Choose “Add to collection” in the menu of any image of the gallery.`
          : t`They appear here as soon as its owner adds them.`}
      </p>
      {collection.mayAdd && (
        <div>
          <Link href={pagePaths.gallery} className={buttonClass('primary')}>
            {t`Open the gallery`}
          </Link>
        </div>
      )}
    </section>
  )
}
