import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { trpc } from '../../api/trpc.ts'
import { hasModifier, isTyping, pressShortcut } from '../../browser/apis.ts'
import { SmallImage } from '../../images/image.tsx'
import { ActionLog, moderationAction } from '../../ui/action-log.tsx'
import { Mark } from '../../ui/brand.tsx'
import { Button } from '../../ui/button.tsx'
import { EntryList } from '../../ui/entry-list.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { reasonLabels } from '../../ui/post-options.ts'
import { UserText } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import {
  describeEntry,
  EntryActions,
  EntryFacts,
  KindBadge,
  kindOf,
  ReportedEntry,
  toEntries,
  type Entry,
} from './reported-entry.tsx'
import styles from './reports.module.css'
import { useDecisions } from './use-decisions.tsx'
import { useWindowEvent } from '../../browser/use-window-event.ts'

const ImageViewer = lazyPart(async () => (await import('../../images/image-viewer.tsx')).ImageViewer)

/** What the list can be narrowed to, by the value in the address. */
const filters = [
  ['all', msg({ message: 'All', context: 'reports' }), () => true],
  ['appeals', msg({ message: 'Appeals', context: 'filter' }), (one) => kindOf(one) === 'appeal'],
  ['reports', msg({ message: 'Reports', context: 'filter' }), (one) => kindOf(one) === 'report'],
  ['hidden', msg({ message: 'Hidden', context: 'filter' }), (one) => one.isHidden],
  ['sensitive', msg({ message: 'Sensitive', context: 'filter' }), (one) => one.post?.isSensitive === true],
  ['collections', msg({ message: 'Collections', context: 'filter' }), (one) => one.collection !== null],
] as const satisfies readonly (readonly [string, unknown, (entry: Entry) => boolean])[]

type Filter = (typeof filters)[number][0]

/** @param path the address of the page, of which there are two */
function pathOf(path: string, filter: Filter, id: string | null): string {
  const query = new URLSearchParams({ ...(filter !== 'all' && { show: filter }), ...(id !== null && { id }) })
  return query.size > 0 ? `${path}?${query}` : path
}

/** Posts and collections that are reported or hidden, one of which is shown with what there is to decide; and the audit log. */
export function Reports() {
  const { t, i18n } = useLingui()
  const posts = trpc.moderation.listReported.useQuery()
  const collections = trpc.moderation.listReportedCollections.useQuery()
  const parameters = new URLSearchParams(useSearch())
  const [path, navigate] = useLocation()
  const [filter, , isShown] = filters.find(([name]) => name === parameters.get('show')) ?? filters[0]
  const id = parameters.get('id')
  const screen = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [isViewerOpen, setIsViewerOpen] = useState(false)
  // Counts what was chosen by a key or a decision, each of which moves the focus.
  const [moves, setMoves] = useState(0)
  const data = posts.data &&
    collections.data && {
      entries: toEntries(posts.data.entries, collections.data.entries),
      total: posts.data.total + collections.data.total,
    }
  const entries = data?.entries.filter(isShown) ?? []
  // Where the list is beside it, the first one is chosen without an address.
  const index = Math.max(
    0,
    entries.findIndex((one) => one.id === id),
  )
  const entry = entries[index]

  /** On phones, where the list is not beside it, the heading of the entry. */
  function focusTarget(): HTMLElement | null {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (link?.checkVisibility()) return link
    return document.getElementById(entry ? 'report' : 'reported-count')
  }
  const focusEntry = useEffectEvent(() => {
    const target = focusTarget()
    target?.focus({ preventScroll: true })
    target?.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    if (moves > 0) focusEntry()
  }, [moves])

  const show = (shownId: string) => navigate(pathOf(path, filter, shownId), { replace: true })
  function step(by: 1 | -1) {
    const next = entries[index + by]
    if (!next) return
    show(next.id)
    setMoves(moves + 1)
  }
  const decisions = useDecisions({
    focusTarget,
    onDecided(decided, stays) {
      // The page may have been left meanwhile.
      if (!screen.current) return
      const place = entries.findIndex((one) => one.id === decided.id)
      const next = stays || place < 0 ? decided : (entries[place + 1] ?? entries[place - 1] ?? decided)
      show(next.id)
      // A collection without a cover has nothing to show there.
      if (!next.image) setIsViewerOpen(false)
      if (!isViewerOpen || !next.image) setMoves((count) => count + 1)
    },
  })
  useShortcutKeys(screen)

  // Of a hidden entry, the key is that of its own button.
  const undoKey = entry?.isHidden ? undefined : 'U'
  const actions = entry && <EntryActions entry={entry} decisions={decisions} />
  return (
    <div
      ref={screen}
      className={`stack widest ${styles['screen']}`}
      data-open={(entry && id !== null) || undefined}
    >
      <QueryState
        query={posts.data && !posts.error ? collections : posts}
        failed={t`The reports could not be loaded.`}
      />
      {data && (
        <div className={`row centered ${styles['top']}`}>
          {data.total > 0 && (
            <ul aria-label={t`Filter`} className="row">
              {filters.map(([name, label, has]) => (
                <li key={name}>
                  <Link
                    href={pathOf(path, name, null)}
                    replace
                    className="chip small hoverable"
                    aria-current={name === filter || undefined}
                  >
                    {i18n._(label)}{' '}
                    <span className="quiet tabular">{i18n.number(data.entries.filter(has).length)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )}
          <p className="quiet small" tabIndex={-1} id="reported-count">
            {describeCount(data.entries.length, data.total, i18n)}
          </p>
          {decisions.undo && (
            <Button variant="quiet" aria-keyshortcuts={undoKey} onClick={decisions.undo}>{t`Undo`}</Button>
          )}
        </div>
      )}
      <Notice>{decisions.failure}</Notice>
      {entry ? (
        <div className={styles['panes']}>
          <EntryList ref={list} label={t`Reports`} className={`lined ${styles['list']}`}>
            {entries.map((one) => (
              <li key={one.id}>
                <EntryLink entry={one} href={pathOf(path, filter, one.id)} isShown={one === entry} />
              </li>
            ))}
          </EntryList>
          <ReportedEntry
            key={entry.id}
            entry={entry}
            place={[index + 1, entries.length]}
            listPath={pathOf(path, filter, null)}
            onStep={step}
            onOpen={() => setIsViewerOpen(true)}
            actions={actions}
          />
        </div>
      ) : (
        data && data.total > 0 && <p className="quiet">{t`Nothing to review is like this.`}</p>
      )}
      {!posts.isPending && !collections.isPending && <AuditLog />}
      {isViewerOpen && entry?.image ? (
        <ImageViewer
          // Moderators see it as it is.
          images={entries.flatMap(({ id: entryId, image }) =>
            image ? Object.assign({}, image, { id: entryId, isSensitive: false }) : [],
          )}
          shownId={entry.id}
          text={describeEntry(entry, i18n)}
          onShow={show}
          panel={
            <div className="stack">
              {actions}
              <EntryFacts entry={entry} />
              {decisions.dialog}
            </div>
          }
          focusAfter={focusTarget}
          onClosed={() => setIsViewerOpen(false)}
        />
      ) : (
        decisions.dialog
      )}
    </div>
  )
}

/** Presses the control of the screen that declares a key, unless the key is for another control or a dialog. */
function useShortcutKeys(screen: { readonly current: HTMLElement | null }) {
  useWindowEvent('keydown', (event) => {
    const { key, target } = event
    if (hasModifier(event) || isTyping(target) || !(target instanceof Element)) return
    if (target.closest('[role=dialog], [role=alertdialog]')) return
    // Elsewhere they belong to the browser.
    if (key.startsWith('Arrow') && target.closest('a:not([data-kind]), button')) return
    if (screen.current && pressShortcut(screen.current, key)) event.preventDefault()
  })
}

function describeCount(shown: number, total: number, i18n: I18n): string {
  if (total === 0) return i18n._(msg`Nothing to review.`)
  return shown < total
    ? i18n._(msg`Reported or hidden: ${total}. Showing the ${shown} most recent.`)
    : i18n._(msg`Reported or hidden: ${total}`)
}

/** An entry of the list. What was chosen there gets the focus, so that its actions come next. */
function EntryLink({ entry, href, isShown }: { entry: Entry; href: string; isShown: boolean }) {
  const { t, i18n } = useLingui()
  const { post, collection, image, appeal, reports } = entry
  const [report] = reports
  return (
    <Link
      href={href}
      className={`hoverable insetFocus ${styles['entry']}`}
      data-kind={kindOf(entry)}
      aria-current={isShown || undefined}
      onClick={(event) => {
        if (!hasModifier(event)) requestAnimationFrame(() => document.getElementById('report')?.focus())
      }}
    >
      {image ? (
        <SmallImage image={image} className="thumb" />
      ) : (
        <span className={`thumb well ${styles['blank']}`}>
          <Mark />
        </span>
      )}
      <span className="stack tightest small">
        <UserText text={describeEntry(entry, i18n)} className="ellipsis strong" />
        <span className={`clamp ${styles['why']}`}>
          <KindBadge entry={entry} />{' '}
          <span className="quiet">
            {collection ? (
              t`Collection`
            ) : appeal ? (
              <UserText text={appeal.comment} />
            ) : report ? (
              i18n._(reasonLabels[report.reason])
            ) : (
              <UserText text={post.name} />
            )}
          </span>
        </span>
      </span>
    </Link>
  )
}

/** The latest actions of administrators, newest first. */
function AuditLog() {
  const query = trpc.moderation.auditLog.useQuery()
  const { data } = query
  const { t, i18n } = useLingui()
  return (
    <section aria-labelledby="audit-log" className={`stack ${styles['log']}`}>
      <h2 id="audit-log">{t`Audit log`}</h2>
      <QueryState query={query} failed={t`The log could not be loaded.`} />
      {data && <ActionLog actions={data.map((record) => moderationAction(record, i18n))} />}
    </section>
  )
}
