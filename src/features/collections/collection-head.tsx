import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Collection } from '../../../shared/collections.ts'
import { authorPath, collectionFeedPath, pagePaths, wallPath } from '../../../shared/routes.ts'
import { completeDeletion } from '../../api/missing.ts'
import { trpc } from '../../api/trpc.ts'
import { EmptyMotif } from '../../ui/empty-motif.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Badge } from '../../ui/entry-list.tsx'
import { TextField } from '../../ui/form.tsx'
import { localTime } from '../../ui/formats.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { MoreMenu, type MenuItem } from '../../ui/menu.tsx'
import { PageHeading } from '../../ui/page.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Day, UserText } from '../../ui/text.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import { ReportDialog } from '../post/report-dialog.tsx'
import { useReloadCollections } from './collection-loader.tsx'
import styles from './collections.module.css'
import { EditCollection, InviteContributors } from './edit-dialogs.tsx'

const HiddenNoticeCard = lazyPart(async () => (await import('../post/hidden-post.tsx')).HiddenNoticeCard)

/** Title, owner and state of a collection, and what its viewer can do with it. */
export function CollectionHead({ collection }: { collection: Collection }) {
  const { t } = useLingui()
  const { id, isOwner, ownerId, ownerName, visibility, postCount, featuredUntil } = collection
  const { viewer } = useSession()
  const { client } = trpc.useUtils()
  const reload = useReloadCollections()
  const [, navigate] = useLocation()
  const [dialog, open] = useDialog()
  const isAdministrator = viewer?.role === 'administrator'
  const item = (label: string, content: ReactNode): MenuItem => ({ label, onSelect: () => open(content) })
  const calls = client.collections
  const items = [
    isOwner && item(t`Edit`, <EditCollection collection={collection} />),
    isOwner && item(t`Invite people`, <InviteContributors collection={collection} />),
    isAdministrator &&
      visibility === 'public' &&
      item(
        t`Theme of the gallery`,
        <FormDialog
          title={t`Theme of the gallery`}
          description={t`The collection is shown above the gallery and in the header until then. There is one theme at a time.`}
          submit={t`Save`}
          outcome={t`Changes saved.`}
          failed={t`The theme could not be changed. Try again in a moment.`}
          call={async (text) => {
            const until = text('until') === '' ? null : new Date(text('until')).toISOString()
            await calls.feature.mutate({ id, until })
            await reload()
          }}
        >
          <TextField
            label={t`Until`}
            hint={t`In your time zone. Leave it empty to end the theme now.`}
            dir={undefined}
            type="datetime-local"
            name="until"
            defaultValue={featuredUntil ? localTime(featuredUntil) : ''}
          />
        </FormDialog>,
      ),
    !isOwner &&
      item(
        t({ message: 'Report', context: 'action' }),
        <ReportDialog
          title={t`Report this collection`}
          report={(reason, comment) => calls.report.mutate({ id, reason, comment })}
        />,
      ),
    (isOwner || isAdministrator) &&
      item(
        t`Delete`,
        <ConfirmCall
          title={<Sentence of={msg`Delete “${{ title: collection.title }}”?`} />}
          description={t`The posts in it stay where they are. This cannot be undone.`}
          confirm={t`Delete`}
          outcome={t`The collection is deleted.`}
          failed={t`The collection could not be deleted. Try again in a moment.`}
          call={async () => {
            await completeDeletion(calls.delete.mutate({ id }))
            navigate(pagePaths.collections)
            await reload()
          }}
        />,
      ),
  ]
  return (
    <div className={`ends ${styles['head']}`}>
      <div className="stack tight">
        <PageHeading title={<UserText text={collection.title} />}>
          {collection.description && <UserText className="lines" text={collection.description} />}
        </PageHeading>
        <p className="line quiet small">
          {ownerName !== null && (
            <Link href={authorPath(ownerId)} className="breakable plainLink strong reachable">
              <UserText text={ownerName} />
            </Link>
          )}
          <span className="tabular">
            {t`${plural({ count: postCount }, { one: '# image', other: '# images' })}`}
          </span>
          {visibility === 'unlisted' && <Badge>{t`Unlisted`}</Badge>}
          {visibility === 'private' && <Badge>{t`Private`}</Badge>}
          {collection.isHidden && <Badge tone="danger">{t`Hidden by a moderator`}</Badge>}
          {visibility !== 'private' && !collection.isHidden && (
            <a href={collectionFeedPath(id)} className="reachable">{t`Feed`}</a>
          )}
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
        {postCount > 0 && <Link href={wallPath(id)} className={buttonClass('plain')}>{t`Wall`}</Link>}
        <MoreMenu items={items} />
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
          <Link href={pagePaths.gallery} className={buttonClass('primary')}>{t`Open the gallery`}</Link>
        </div>
      )}
    </section>
  )
}

/** Says that a collection is hidden and why, to its owner and to moderators. */
export function HiddenCollection(props: {
  collection: Collection
  notice: NonNullable<Collection['hiddenNotice']>
}) {
  const { t } = useLingui()
  const { id, isOwner } = props.collection
  const { client } = trpc.useUtils()
  const reload = useReloadCollections()
  return (
    <HiddenNoticeCard
      notice={props.notice}
      sentence={
        isOwner
          ? t`This collection was hidden. Only you, moderators and administrators see it.`
          : t`This collection is hidden. Only its owner, moderators and administrators see it.`
      }
      unhidden={t`The collection is no longer hidden.`}
      unhide={async () => {
        await client.moderation.unhideCollection.mutate({ id })
        await reload()
      }}
    />
  )
}
