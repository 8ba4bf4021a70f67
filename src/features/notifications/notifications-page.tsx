import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import {
  notificationKinds,
  type NotificationChannel,
  type NotificationKind,
} from '../../../shared/notifications.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { pagesOf } from '../../api/pages.ts'
import { useSite } from '../../api/site.tsx'
import { trpc, type RouterInputs } from '../../api/trpc.ts'
import { EntryList, useShowMore } from '../../ui/entry-list.tsx'
import { Checkbox } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { NextPage, MutationState, QueryState } from '../auth/call-failure.tsx'
import { SignedInOnly } from '../auth/signed-in-only.tsx'
import { useDevice } from '../auth/use-device.ts'
import { NotificationRow, useMarkRead } from './notification-row.tsx'
import styles from './notifications.module.css'

const pageSize = 20

/** The viewer's notifications, and which ones they want. */
export function NotificationsPage() {
  const { t } = useLingui()
  return (
    <Page
      isText
      title={t`Notifications`}
      intro={
        <Trans>
          What happened since your last visit. You choose <a href={`#${settingsId}`}>what reaches you</a>.
        </Trans>
      }
    >
      <SignedInOnly
        why={t`Notifications are about your own posts and images, so you need to be signed in to see them.`}
        unavailable={t`Sign-in is unavailable, so your notifications can’t be shown right now.`}
      >
        {(viewer) => (
          <div key={viewer.id} className="stack widest">
            <NotificationList>
              <NotificationSettings viewer={viewer} />
            </NotificationList>
          </div>
        )}
      </SignedInOnly>
    </Page>
  )
}

/** @param props.children what follows, once the height of the list is known */
function NotificationList({ children }: { children: ReactNode }) {
  const { t, i18n } = useLingui()
  const { client } = trpc.useUtils()
  const query = useInfiniteQuery({
    queryKey: ['notifications'],
    ...pagesOf((cursor) => client.notifications.list.query({ limit: pageSize, cursor })),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })
  const { data } = query
  useMarkRead(data?.pages[0])
  const notifications = data?.pages.flatMap((page) => page.notifications) ?? []
  const { list, showMore } = useShowMore(
    query,
    notifications.length,
    (added) => t`${plural(added, { one: '# more notification', other: '# more notifications' })}`,
  )
  const days = notifications.map(({ createdAt }) => dayName(createdAt, i18n))
  return (
    <>
      <div className="stack">
        {data && notifications.length === 0 && (
          <Panel>
            <p>{t`Nothing yet. When others like or remix your posts, you read it here.`}</p>
          </Panel>
        )}
        {notifications.length > 0 && (
          <EntryList ref={list} label={t`Notifications`} className="full">
            {notifications.map((notification, index) => (
              <li key={notification.id}>
                {days[index] !== days[index - 1] && <h2 className={styles['day']}>{days[index]}</h2>}
                <NotificationRow notification={notification} />
              </li>
            ))}
          </EntryList>
        )}
        <NextPage query={query} label={t`Show more`} onMore={showMore} />
      </div>
      {!query.isPending && children}
    </>
  )
}

/** Names the day of a time in the viewer's time zone. */
function dayName(at: string, i18n: I18n): string {
  const day = new Date(at).toDateString()
  const yesterday = new Date()
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === new Date().toDateString()) return i18n._(msg`Today`)
  if (day === yesterday.toDateString()) return i18n._(msg`Yesterday`)
  return i18n.date(at, { dateStyle: 'full' })
}

const settingsId = 'notification-settings'

/** Which kinds of notifications reach the viewer where, and whether this device shows them. */
function NotificationSettings({ viewer }: { viewer: Viewer }) {
  const { t } = useLingui()
  const headingId = useId()
  return (
    <section
      id={settingsId}
      tabIndex={-1}
      aria-labelledby={headingId}
      className={`card padded stack ${styles['settings']}`}
    >
      <h2 id={headingId}>{t`Settings`}</h2>
      <DeviceSetting viewer={viewer} />
      <KindTable isModerator={viewer.role !== 'member'} />
    </section>
  )
}

/** Switches notifications on this device on and off. */
function DeviceSetting({ viewer }: { viewer: Viewer }) {
  const { t } = useLingui()
  const { state, update } = useDevice(viewer)
  const hasPushes = useHasPushes()
  const hints = {
    unsupported: t`This browser can’t show notifications of this site. On an iPhone or iPad, add the site to the home screen first.`,
    denied: t`The browser blocks notifications of this site. Allow them in its settings of this site, next to the address, and reload the page.`,
    off: t`On the screen others read only that something happened, and no names or prompts.`,
    on: hasPushes
      ? t`This device notifies you, also while the site is closed.`
      : t`This device notifies you while the site is open.`,
  }
  const canChange = state === 'on' || state === 'off'
  return (
    <div className="stack tightest full">
      <fieldset disabled={!canChange}>
        <Checkbox isChecked={state === 'on'} onChange={update.mutate}>{t`Notify this device`}</Checkbox>
      </fieldset>
      <p role="status" className="quiet small">
        {hints[state]}
      </p>
      <MutationState
        mutation={update}
        failed={t`The browser could not subscribe to pushes. You are notified only while the site is open.`}
      />
    </div>
  )
}

/** Checks whether site and browser have pushes. */
function useHasPushes(): boolean {
  return useSite().hasServiceWorker && 'PushManager' in window
}

const settingsKey = ['notification-settings'] as const

/** A table of kinds by where they are shown or sent. */
function KindTable({ isModerator }: { isModerator: boolean }) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const settings = trpc.notifications.settings.useQuery()
  const delivery = trpc.notifications.delivery.useQuery()
  const hasPushes = useHasPushes()
  const update = useMutation({
    mutationKey: settingsKey,
    scope: { id: settingsKey[0] },
    mutationFn: (change: RouterInputs['notifications']['updateSettings']) =>
      api.client.notifications.updateSettings.mutate(change),
    onMutate(change) {
      api.notifications.settings.setData(undefined, (former) => {
        if (!former) return former
        const changed = notificationKinds.map((kind) => [kind, { ...former[kind], ...change[kind] }] as const)
        return Object.fromEntries(changed) as typeof former
      })
    },
    onSettled() {
      // The settled one is still counted. After the last one, the page shows what the server has.
      if (queryClient.isMutating({ mutationKey: settingsKey }) <= 1) void settings.refetch()
    },
  })
  const channels: readonly (readonly [NotificationChannel, string])[] = [
    ['page', t({ message: 'Here', context: 'where notifications are shown' })],
    ...(delivery.data?.hasMail ? [['mail', t`Mail`] as const] : []),
    ...(hasPushes ? [['push', t`Device`] as const] : []),
  ]
  const labels: Readonly<Record<NotificationKind, string>> = {
    like: t`Likes`,
    remix: t`Remixes`,
    collection: t`Images added to collections`,
    generation: t`Images that are ready`,
    theme: t`Themes of the gallery`,
    decision: t`Decisions about your posts`,
    appeal: t`Appeals of authors`,
  }
  if (!settings.data || !delivery.data)
    return <QueryState query={settings.data ? delivery : settings} placeholder={<Skeleton shape="area" />} />
  const { data } = settings
  return (
    <>
      <table className={`full ${styles['kinds']}`}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{t({ message: 'Event', context: 'notification' })}</VisuallyHidden>
            </th>
            {channels.map(([channel, name]) => (
              <th key={channel} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notificationKinds
            .filter((kind) => kind !== 'appeal' || isModerator)
            .map((kind) => (
              <tr key={kind}>
                <th scope="row">{labels[kind]}</th>
                {channels.map(([channel, name]) => (
                  <td key={channel}>
                    <label className={`check ${styles['cell']}`}>
                      <input
                        type="checkbox"
                        aria-label={`${labels[kind]}: ${name}`}
                        checked={data[kind][channel]}
                        onChange={({ currentTarget }) =>
                          update.mutate({ [kind]: { [channel]: currentTarget.checked } })
                        }
                      />
                    </label>
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
      <MutationState
        mutation={update}
        failed={t`The setting could not be saved. Try again in a moment.`}
        done={t`Saved.`}
      />
    </>
  )
}
