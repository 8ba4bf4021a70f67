import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useId, useState, type FormEvent } from 'react'
import { useSearchParams } from 'wouter'
import type { ManagedUser, SignInWay } from '../../../shared/admin.ts'
import { searchDebounceMs, searchLimit } from '../../../shared/limits.ts'
import type { Role } from '../../../shared/viewer.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { EntryList, useShowMore } from '../../ui/entry-list.tsx'
import { TextField } from '../../ui/form.tsx'
import { formatBytes } from '../../ui/formats.tsx'
import { MoreIcon } from '../../ui/icons.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import ui from '../../ui/primitives.module.css'
import { UserText } from '../../ui/user-text.tsx'
import { useSession } from '../auth/session.ts'
import { NextPage } from '../auth/call-failure.tsx'
import styles from './admin.module.css'

const UserDialog = lazyPart(async () => (await import('./user-dialogs.tsx')).UserDialog)

/** Number of users per page. */
const pageSize = 50

/** Name of the query parameter with the search. */
const searchParameter = 'q'

/** The users of the site, with what administrators decide about them. */
export function UsersSection() {
  const { t } = useLingui()
  const { auth } = useSite()
  const { viewer } = useSession()
  const [text, search, setText] = useUserSearch()
  const query = trpc.admin.users.list.useInfiniteQuery(
    { search, limit: pageSize },
    {
      getNextPageParam: (page) => page.nextCursor,
      // The list of an earlier search stays until the next one has loaded.
      placeholderData: keepPreviousData,
      // Loading many pages again would take long: a new visit begins with the first.
      gcTime: 0,
      staleTime: Infinity,
      refetchOnWindowFocus: false,
    },
  )
  const { data, isPlaceholderData, isFetchingNextPage, fetchNextPage } = query
  const users = data?.pages.flatMap((page) => page.users)
  const total = data?.pages[0]?.total ?? 0
  const cache = useUserCache(search)
  const { list, showMore } = useShowMore(
    { isLoadingMore: isFetchingNextPage, loadMore: () => fetchNextPage({ cancelRefetch: false }) },
    users?.length ?? 0,
    (added) => t`${plural(added, { one: 'One more user.', other: '# more users.' })}`,
  )
  const [dialog, open] = useDialog()
  const isHosted = auth.kind !== 'local'

  return (
    <div className={ui['stack']}>
      {isHosted && (
        <p className={`${ui['small']} ${styles['userCount']}`}>
          {t`Users sign in with Clerk: names, passwords, sessions and accounts are managed in its dashboard. The list shows users who have been here.`}
        </p>
      )}
      <SearchField text={text} onChange={setText} isHosted={isHosted} />
      {users && (
        <>
          <p id="user-count" tabIndex={-1} role="status" className={`${ui['small']} ${styles['userCount']}`}>
            {search === ''
              ? t`${plural(total, { one: '# user', other: '# users' })}`
              : t`${plural(total, { 0: 'No user matches.', one: '# user matches.', other: '# users match.' })}`}
          </p>
          <EntryList ref={list} isBusy={isPlaceholderData}>
            {users.map((user) => (
              <UserItem
                key={user.id}
                user={user}
                isOwn={user.id === viewer?.id}
                canSignOut={!isHosted}
                onAction={(action) =>
                  open((onClosed) => (
                    <UserDialog
                      user={user}
                      action={action}
                      isHosted={isHosted}
                      cache={cache}
                      onClosed={onClosed}
                    />
                  ))
                }
              />
            ))}
          </EntryList>
        </>
      )}
      <NextPage
        query={{ ...query, hasNextPage: query.hasNextPage && !isPlaceholderData }}
        label={t`Show more`}
        failed={t`The users could not be loaded.`}
        placeholder={<Placeholder />}
        onMore={showMore}
      />
      {dialog}
    </div>
  )
}

/** The search in the address, which follows the text of the field. */
function useUserSearch(): [text: string, search: string, setText: (text: string) => void] {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get(searchParameter)?.trim() ?? ''
  const [text, setText] = useState(search)
  useEffect(() => {
    const term = text.trim()
    if (term === search) return
    const timer = setTimeout(
      () => setParameters(term === '' ? {} : { [searchParameter]: term }, { replace: true }),
      searchDebounceMs,
    )
    return () => clearTimeout(timer)
  }, [text, search, setParameters])
  return [text, search, setText]
}

function SearchField(props: { text: string; onChange: (text: string) => void; isHosted: boolean }) {
  const { t } = useLingui()
  return (
    <form role="search" className={styles['search']} onSubmit={(event: FormEvent) => event.preventDefault()}>
      <TextField
        label={t`Search users`}
        type="search"
        placeholder={props.isHosted ? t`Name or id` : t`Name or email`}
        maxLength={searchLimit.characters}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        value={props.text}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </form>
  )
}

function Placeholder() {
  return (
    <div aria-hidden="true" className={ui['stack']}>
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} shape="control" />
      ))}
    </div>
  )
}

/** Something that an administrator does to a user. */
export type UserAction = 'role' | 'limit' | 'block' | 'unblock' | 'signOut' | 'delete'

const roleLabels: Readonly<Record<Role, MessageDescriptor | null>> = {
  member: null,
  moderator: msg`Moderator`,
  administrator: msg`Administrator`,
}

const signInLabels: Readonly<Record<SignInWay, MessageDescriptor>> = {
  password: msg({ message: 'Password', context: 'way to sign in' }),
  passkey: msg({ message: 'Passkey', context: 'way to sign in' }),
  oidc: msg({ message: 'Single sign-on', context: 'way to sign in' }),
}

/** A user with a menu of actions. */
export function UserItem(props: {
  user: ManagedUser
  isOwn: boolean
  /** False where a hosted service has the sessions. */
  canSignOut: boolean
  onAction: (action: UserAction) => void
}) {
  const { t, i18n } = useLingui()
  const { user, isOwn, onAction } = props
  const { name, email, role, fixedRole, blocked } = user
  const nameId = useId()
  const roleLabel = roleLabels[role]
  const act = (label: string, action: UserAction): MenuItem => ({ label, onSelect: () => onAction(action) })
  const items: MenuItem[] = [
    ...(isOwn || fixedRole !== null ? [] : [act(t`Change role`, 'role')]),
    act(t`Daily image limit`, 'limit'),
    ...(isOwn
      ? []
      : [
          blocked
            ? act(t({ message: 'Unblock', context: 'a user' }), 'unblock')
            : act(t({ message: 'Block', context: 'a user' }), 'block'),
        ]),
    ...(props.canSignOut ? [act(t`Sign out everywhere`, 'signOut')] : []),
    ...(isOwn ? [] : [act(t({ message: 'Delete', context: 'a user' }), 'delete')]),
  ]
  return (
    <li className={styles['user']} data-blocked={blocked || undefined}>
      <div className={`${ui['stack']} ${styles['who']}`}>
        <p id={nameId} className={`${ui['line']} ${ui['strong']} ${styles['userName']}`}>
          <UserText text={name || user.id} />
          {isOwn && (
            <Badge>
              <Trans comment="Next to the user's own name">You</Trans>
            </Badge>
          )}
          {roleLabel && <Badge tone="accent">{i18n._(roleLabel)}</Badge>}
          {blocked && (
            <Badge tone="danger">
              <Trans comment="State of a user">Blocked</Trans>
            </Badge>
          )}
        </p>
        <p className={`${ui['small']} ${styles['address']}`} dir="ltr">
          {email ?? user.id}
        </p>
      </div>
      <UserFacts user={user} />
      <Menu
        button={<MoreIcon />}
        buttonClass={buttonClass('plain')}
        buttonLabel={t`More actions`}
        describedBy={nameId}
        items={items}
      />
    </li>
  )
}

function UserFacts({ user }: { user: ManagedUser }) {
  const { t, i18n } = useLingui()
  const { dailyImageLimit: limit, images, posts, storedBytes, fixedRole, signIn, lastSeenAt } = user
  const day = (at: string) => i18n.date(at, { dateStyle: 'medium' })
  const since = day(user.createdAt)
  const lastSeen = lastSeenAt && day(lastSeenAt)
  const imageCount = t`${plural(images, { one: '# image', other: '# images' })}`
  const postCount = t`${plural(posts, { one: '# post', other: '# posts' })}`
  return (
    <ul className={`${ui['row']} ${ui['small']} ${styles['userFacts']}`}>
      <li>{t`Since ${since}`}</li>
      <li>{lastSeen ? t`Last seen ${lastSeen}` : t`Not seen yet`}</li>
      <li>{imageCount}</li>
      <li>{postCount}</li>
      {storedBytes > 0 && <li>{formatBytes(storedBytes, i18n)}</li>}
      {limit !== null && (
        <li className={styles['own']}>
          {t`${plural(limit, { 0: 'No images allowed', one: '# image a day', other: '# images a day' })}`}
        </li>
      )}
      {signIn.length > 0 && <li>{signIn.map((way) => i18n._(signInLabels[way])).join(', ')}</li>}
      {fixedRole !== null && <li>{t`Role set by ${fixedRole}`}</li>}
    </ul>
  )
}

/** Functions that update the loaded list after a change, without loading its pages again. */
export function useUserCache(search: string) {
  const { list } = trpc.useUtils().admin.users

  type Page = NonNullable<ReturnType<typeof list.getInfiniteData>>['pages'][number]

  function changePages(change: (page: Page) => Page): void {
    list.setInfiniteData(
      { search, limit: pageSize },
      (data) => data && { ...data, pages: data.pages.map(change) },
    )
  }

  return {
    replace(changed: ManagedUser): void {
      changePages((page) => ({
        ...page,
        users: page.users.map((user) => (user.id === changed.id ? changed : user)),
      }))
    },
    remove(userId: string): void {
      changePages((page) => ({
        ...page,
        users: page.users.filter(({ id }) => id !== userId),
        total: page.total - 1,
      }))
    },
  }
}

export type UserCache = ReturnType<typeof useUserCache>
