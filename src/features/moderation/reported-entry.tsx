import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Plural, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { authorPath, collectionPath, postPath } from '../../../shared/routes.ts'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { WholeImage } from '../../images/whole-image.tsx'
import { ActionLog, moderationAction } from '../../ui/action-log.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Mark } from '../../ui/brand.tsx'
import { Badge } from '../../ui/entry-list.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { UnfoldIcon } from '../../ui/icons.tsx'
import { reasonLabels } from '../../ui/post-options.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { UserText } from '../../ui/text.tsx'
import { WrappedText } from '../../ui/wrapped-text.tsx'
import styles from './reports.module.css'
import type { Decisions } from './use-decisions.tsx'

type ReportedPost = RouterOutputs['moderation']['listReported']['entries'][number]
type ReportedCollection = RouterOutputs['moderation']['listReportedCollections']['entries'][number]

export type Entry = ReturnType<typeof ofPost> | ReturnType<typeof ofCollection>

/** Merges posts and collections: appeals first, then what was reported, the latest first, then the rest in its order. */
export function toEntries(
  posts: readonly ReportedPost[],
  collections: readonly ReportedCollection[],
): readonly Entry[] {
  return [...posts.map(ofPost), ...collections.map(ofCollection)].sort(
    (a, b) =>
      Number(b.appeal !== null) - Number(a.appeal !== null) || reportedAt(b).localeCompare(reportedAt(a)),
  )
}

function ofPost(entry: ReportedPost) {
  return { ...entry, id: entry.post.id, image: entry.post, collection: null }
}

/** A collection is shown by its cover, if it has posts. */
function ofCollection(entry: ReportedCollection) {
  const { id, cover: image, isHidden } = entry.collection
  return { ...entry, id, image, post: null, isHidden, isWithdrawn: false, postsOfImage: 0, appeal: null }
}

function reportedAt({ reports }: Entry): string {
  return reports[0]?.createdAt ?? ''
}

/** What waits for a decision, if anything does. */
export function kindOf({ appeal, isHidden }: Entry): 'appeal' | 'hidden' | 'report' {
  return appeal ? 'appeal' : isHidden ? 'hidden' : 'report'
}

export function describeEntry({ post, collection }: Entry, i18n: I18n): string {
  if (collection) return collection.title
  return post.isPromptHidden ? i18n._(msg`The author keeps the prompt private.`) : post.prompt
}

function titleOf({ post, collection, appeal }: Entry): MessageDescriptor {
  if (collection) return msg`Collection “${{ title: collection.title }}”`
  return appeal ? msg`Appeal by ${{ name: post.name }}` : msg`Post of ${{ name: post.name }}`
}

/** Says what an entry is listed for. */
export function KindBadge({ entry }: { entry: Entry }) {
  const { t } = useLingui()
  const { isWithdrawn, reportCount } = entry
  switch (kindOf(entry)) {
    case 'appeal':
      return <span className="count">{t({ message: 'Appeal', context: 'badge' })}</span>
    case 'hidden':
      return <Badge>{isWithdrawn ? t`Hidden, deleted by its author` : t`Hidden`}</Badge>
    case 'report':
      return <Badge tone="danger">{t`${plural(reportCount, { one: '# report', other: '# reports' })}`}</Badge>
  }
}

/** A reported or hidden post or collection: its image, why it is here, what was decided before, and the actions. */
export function ReportedEntry(props: {
  entry: Entry
  /** Its number from 1, and the number of all. */
  place: readonly [number: number, total: number]
  listPath: string
  onStep: (by: 1 | -1) => void
  onOpen: () => void
  actions: ReactNode
}) {
  const { entry, onStep } = props
  const { image } = entry
  const [number, total] = props.place
  const { t, i18n } = useLingui()
  return (
    <section aria-labelledby="report" className={`stack ${styles['detail']}`}>
      <div className={`row centered ${styles['bar']}`}>
        <Link href={props.listPath} replace className={`${buttonClass('plain')} ${styles['back']}`}>
          {t`Back to the list`}
        </Link>
        <h2 id="report" className="breakable" tabIndex={-1}>
          <Sentence of={titleOf(entry)} />
        </h2>
        <span className={`quiet small tabular ${styles['place']}`}>{t`${number} of ${total}`}</span>
        <Step label={t`Previous report`} keys="K ArrowUp" isEnd={number === 1} onClick={() => onStep(-1)} />
        <Step label={t`Next report`} keys="J ArrowDown" isEnd={number === total} onClick={() => onStep(1)} />
      </div>
      {props.actions}
      <div className={styles['body']}>
        {image ? (
          <WholeImage
            // Moderators see it as it is.
            image={Object.assign({}, image, { isSensitive: false })}
            text={describeEntry(entry, i18n)}
            className={styles['image']}
            sizes="(min-width: 80rem) 50vw, 100vw"
            onOpen={props.onOpen}
          />
        ) : (
          <span className={`well ${styles['blank']}`}>
            <Mark size={96} />
          </span>
        )}
        <EntryFacts entry={entry} />
      </div>
    </section>
  )
}

function Step(props: { label: string; keys: string; isEnd: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className={`iconButton hoverable ${styles['step']}`}
      aria-label={props.label}
      aria-keyshortcuts={props.keys}
      // Not the attribute `disabled`: the focus would be lost at the end of the list.
      aria-disabled={props.isEnd}
      onClick={props.onClick}
    >
      <UnfoldIcon />
    </button>
  )
}

/** What moderators can do about an entry, the most likely decision first. */
export function EntryActions({ entry, decisions }: { entry: Entry; decisions: Decisions }) {
  const { post, isHidden, reportCount, appeal } = entry
  const { t, i18n } = useLingui()
  const action = { 'aria-describedby': 'report', isBusy: decisions.isBusy }
  return (
    <div className="row">
      {isHidden ? (
        <KeyButton {...action} variant="primary" keys="U" onClick={() => decisions.moderate(entry, 'unhide')}>
          {t`Unhide`}
        </KeyButton>
      ) : (
        <KeyButton {...action} variant="primary" keys="H" onClick={() => decisions.hide(entry)}>
          {t`Hide`}
        </KeyButton>
      )}
      {(reportCount > 0 || appeal) && (
        <KeyButton {...action} keys="D" onClick={() => decisions.moderate(entry, 'dismiss')}>
          {i18n._(dismissLabel(entry))}
        </KeyButton>
      )}
      {post && (
        <Button {...action} onClick={() => decisions.setSensitive(entry, post, !post.isSensitive)}>
          {post.isSensitive ? t`Not sensitive` : t`Mark as sensitive`}
        </Button>
      )}
      {post && decisions.remove && (
        <Button {...action} variant="quiet" onClick={() => decisions.remove?.(entry, post)}>
          <span className="alarming">{t`Delete`}</span>
        </Button>
      )}
    </div>
  )
}

/** A button that names its key, where there is a keyboard. */
function KeyButton({ keys, children, ...props }: Parameters<typeof Button>[0] & { keys: string }) {
  return (
    <Button {...props} aria-keyshortcuts={keys}>
      {children}
      <kbd aria-hidden="true" className={styles['key']}>
        {keys}
      </kbd>
    </Button>
  )
}

function dismissLabel({ reportCount, appeal }: Entry): MessageDescriptor {
  if (reportCount === 0) return msg`Dismiss the appeal`
  if (appeal) return msg`Dismiss reports and appeal`
  return reportCount === 1 ? msg`Dismiss the report` : msg`Dismiss the reports`
}

/** What is known about an entry: appeal and reports, prompt and author, and earlier decisions. */
export function EntryFacts({ entry }: { entry: Entry }) {
  const { id, post, collection, isHidden, isWithdrawn, postsOfImage, reports, reportCount, appeal } = entry
  const authorId = collection ? collection.ownerId : post.authorId
  const name = collection ? collection.ownerName : post.name
  const words = collection ? collection.description : post.prompt
  const { t, i18n } = useLingui()
  const history = trpc.moderation.auditLog.useQuery({ postId: id }, { enabled: post !== null })
  const notListed = reportCount - reports.length
  return (
    <div className={`stack ${styles['facts']}`}>
      {appeal && (
        <div className={`small well ${styles['box']} ${styles['appealed']}`}>
          <Remark at={appeal.createdAt} comment={appeal.comment} />
        </div>
      )}
      {reportCount > 0 && (
        <ul className={`stack tight small well ${styles['box']}`} aria-label={t`Reports`}>
          {reports.map(({ id: reportId, reason, createdAt, comment }) => (
            <li key={reportId}>
              <span className="name">{i18n._(reasonLabels[reason])}</span> ·{' '}
              <Remark at={createdAt} comment={comment} />
            </li>
          ))}
          {notListed > 0 && <li>{t`${plural(notListed, { one: 'and # more', other: 'and # more' })}`}</li>}
        </ul>
      )}
      {(post?.isPromptHidden || words) && (
        <p className="breakable">
          {post?.isPromptHidden ? (
            <em>{t`The author keeps the prompt private.`}</em>
          ) : (
            <UserText text={words}>
              <WrappedText text={words} />
            </UserText>
          )}
        </p>
      )}
      <div className="line small">
        {name === null ? (
          // Of an owner without posts in the gallery.
          t`Author’s account: ${authorId}`
        ) : (
          <Link href={authorPath(authorId)} className="breakable plainLink strong">
            <UserText text={name} />
          </Link>
        )}
        <span className="quiet">
          <DateTime at={(collection ?? post).createdAt} />
        </span>
        {collection ? (
          <>
            <span className="quiet">
              <Plural value={collection.postCount} one="# post" other="# posts" />
            </span>
            <Link href={collectionPath(id)}>{t`Open the collection`}</Link>
          </>
        ) : (
          !isWithdrawn && <Link href={postPath(id)}>{t`Open the post`}</Link>
        )}
        {isHidden && (
          <Badge tone="danger">{isWithdrawn ? t`Hidden, deleted by its author` : t`Hidden`}</Badge>
        )}
        {post?.isSensitive && <Badge tone="accent">{t`Sensitive`}</Badge>}
      </div>
      {isWithdrawn && (
        <p className="quiet small breakable">{t`The author’s deletion takes effect when you unhide it.`}</p>
      )}
      {postsOfImage > 1 && (
        <p className="quiet small breakable">
          <Plural
            value={postsOfImage}
            one="# post shows this image. It is hidden, unhidden and deleted with it."
            other="# posts show this image. They are hidden, unhidden and deleted together."
          />
        </p>
      )}
      {history.data && history.data.length > 0 && (
        <div className="stack tight small">
          <h3>{t`Decisions so far`}</h3>
          <ActionLog
            label={t`Decisions so far`}
            actions={history.data.map((record) => moderationAction(record, i18n))}
          />
        </div>
      )}
    </div>
  )
}

/** The time of a report or appeal, and what its author wrote. */
function Remark({ at, comment }: { at: string; comment: string }) {
  return (
    <>
      <DateTime at={at} />
      {comment && (
        <UserText as="q" text={comment} className={`breakable ${styles['comment']}`}>
          <WrappedText text={comment} />
        </UserText>
      )}
    </>
  )
}
