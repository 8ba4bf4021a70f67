import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import type { ManagedUser, SignInWay } from '../../../shared/admin.ts'
import { dailyImagesMax, searchDebounceMs, searchLimit } from '../../../shared/limits.ts'
import { roles, type Role } from '../../../shared/viewer.ts'
import { describeFailure } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { useDialog } from '../../ui/dialog.tsx'
import { Badge, EntryList, MoreMenu, useShowMore } from '../../ui/entry-list.tsx'
import { isWholeNumber, RadioGroup, TextField } from '../../ui/form.tsx'
import { formatBytes } from '../../ui/formats.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { UserText } from '../../ui/text.tsx'
import { NextPage } from '../auth/call-failure.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import styles from './admin.module.css'

/** Number of users per page. */
const pageSize = 50

/** Name of the query parameter with the search. */
const searchParameter = 'q'

/** The users of the site, with what administrators decide about them. */
export function Users() {
  const { t } = useLingui()
  const isHosted = useSite().auth.kind !== 'local'
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
  const { list, showMore } = useShowMore(
    { isLoadingMore: isFetchingNextPage, loadMore: () => fetchNextPage({ cancelRefetch: false }) },
    users?.length ?? 0,
    (added) => t`${plural(added, { one: 'One more user.', other: '# more users.' })}`,
  )
  const [dialog, actionsOf] = useUserActions(search, isHosted)
  return (
    <div className="stack">
      {isHosted && (
        <p className={`quiet small breakable ${styles['userCount']}`}>
          {t`Users sign in with Clerk: names, passwords, sessions and accounts are managed in its dashboard. The list shows users who have been here.`}
        </p>
      )}
      <form role="search" className={styles['search']} onSubmit={(event) => event.preventDefault()}>
        <TextField
          label={t`Search users`}
          type="search"
          placeholder={isHosted ? t`Name or id` : t`Name or email`}
          maxLength={searchLimit.characters}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      {users && (
        <>
          <p
            id="user-count"
            tabIndex={-1}
            role="status"
            className={`quiet small breakable ${styles['userCount']}`}
          >
            {search === ''
              ? t`${plural(total, { one: '# user', other: '# users' })}`
              : t`${plural(total, { 0: 'No user matches.', one: '# user matches.', other: '# users match.' })}`}
          </p>
          <EntryList ref={list} isBusy={isPlaceholderData}>
            {users.map((user) => (
              <UserItem key={user.id} user={user} actions={actionsOf(user)} />
            ))}
          </EntryList>
        </>
      )}
      <NextPage
        query={{ ...query, hasNextPage: query.hasNextPage && !isPlaceholderData }}
        label={t`Show more`}
        failed={t`The users could not be loaded.`}
        placeholder={[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} shape="control" />
        ))}
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

function UserItem({ user, actions }: { user: ManagedUser; actions: readonly MenuItem[] }) {
  const { t, i18n } = useLingui()
  const { id, name, email, role, blocked, dailyImageLimit: limit, images, posts, fixedRole, signIn } = user
  const { viewer } = useSession()
  const nameId = useId()
  const roleLabel = roleLabels[role]
  const day = (at: string) => i18n.date(at, { dateStyle: 'medium' })
  const since = day(user.createdAt)
  const lastSeen = user.lastSeenAt && day(user.lastSeenAt)
  return (
    <li className={styles['user']} data-blocked={blocked || undefined}>
      <div className={`stack ${styles['who']}`}>
        <p id={nameId} className={`line name ${styles['userName']}`}>
          <UserText text={name || id} />
          {id === viewer?.id && (
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
        <p className={`quiet small breakable ${styles['address']}`} dir="ltr">
          {email ?? id}
        </p>
      </div>
      <ul className={`row quiet small breakable ${styles['userFacts']}`}>
        <li>{t`Since ${since}`}</li>
        <li>{lastSeen ? t`Last seen ${lastSeen}` : t`Not seen yet`}</li>
        <li>{t`${plural(images, { one: '# image', other: '# images' })}`}</li>
        <li>{t`${plural(posts, { one: '# post', other: '# posts' })}`}</li>
        {user.storedBytes > 0 && <li>{formatBytes(user.storedBytes, i18n)}</li>}
        {limit !== null && (
          <li className={styles['own']}>
            {t`${plural(limit, { 0: 'No images allowed', one: '# image a day', other: '# images a day' })}`}
          </li>
        )}
        {signIn.length > 0 && <li>{signIn.map((way) => i18n._(signInLabels[way])).join(', ')}</li>}
        {fixedRole !== null && <li>{t`Role set by ${fixedRole}`}</li>}
      </ul>
      <MoreMenu describedBy={nameId} items={actions} />
    </li>
  )
}

/** The open dialog, and the items of the menu of a user, each of which opens one. */
function useUserActions(
  search: string,
  isHosted: boolean,
): [dialog: ReactNode, actionsOf: (user: ManagedUser) => MenuItem[]] {
  const { t, i18n } = useLingui()
  const [dialog, open] = useDialog()
  const { viewer } = useSession()
  const api = trpc.useUtils()
  const toast = useToast()
  const { list } = api.admin.users
  const { users: calls } = api.client.admin
  const max = i18n.number(dailyImagesMax)

  function actionsOf(user: ManagedUser): MenuItem[] {
    const { id, blocked } = user
    const isOwn = id === viewer?.id
    let isRemoved = false

    /** Updates the loaded list, without loading its pages again. */
    function replace(changed: ManagedUser | null) {
      isRemoved = changed === null
      list.setInfiniteData(
        { search, limit: pageSize },
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              users: page.users.flatMap((one) => (one.id === id ? (changed ?? []) : one)),
              total: page.total - (isRemoved ? 1 : 0),
            })),
          },
      )
    }

    async function run(call: Promise<unknown>): Promise<void> {
      try {
        await call
      } catch (error) {
        if (describeFailure(error).reason === 'not_found') replace(null)
        throw error
      }
      // The log and the figures of other sections include it.
      void api.admin.invalidate(undefined, {
        predicate: ({ queryKey: [path] }) => !(Array.isArray(path) && path[1] === 'users'),
      })
    }
    const update = (changes: Omit<Parameters<typeof calls.update.mutate>[0], 'id'>) =>
      run(calls.update.mutate({ id, ...changes }).then(replace))

    const common = {
      failed: t`The action failed. Try again in a moment.`,
      focusAfter: () => (isRemoved ? document.getElementById('user-count') : null),
    }
    const confirm = (
      texts: Pick<
        Parameters<typeof ConfirmCall>[0],
        'title' | 'description' | 'confirm' | 'outcome' | 'call'
      >,
    ) => open(<ConfirmCall {...common} {...texts} cancel={t`Cancel`} />)

    const changeRole = () =>
      open(
        <FormDialog
          {...common}
          title={
            <Trans>
              Role of <UserText text={user.name} />
            </Trans>
          }
          description={t`It applies from the next request, in every open window.`}
          submit={t`Save`}
          outcome={t`The role is saved.`}
          call={(text) => update({ role: roles.find((role) => role === text('role')) ?? user.role })}
        >
          <RadioGroup
            legend={t`Role`}
            name="role"
            defaultValue={user.role}
            options={[
              { value: 'member', label: t`Member`, hint: t`Generates images and shares them` },
              {
                value: 'moderator',
                label: t`Moderator`,
                hint: t`Also reviews reports, hides posts and marks them as sensitive`,
              },
              {
                value: 'administrator',
                label: t`Administrator`,
                hint: t`Also deletes posts of others, and manages users and the site`,
              },
            ]}
          />
        </FormDialog>,
      )
    const changeLimit = () =>
      open(
        <FormDialog
          {...common}
          title={
            <Trans>
              Daily image limit of <UserText text={user.name} />
            </Trans>
          }
          description={t`Images that the user may generate each day. Days begin at midnight UTC.`}
          submit={t`Save`}
          check={(text) => ({
            limit:
              text('limit') !== '' &&
              !isWholeNumber(text('limit'), 0, dailyImagesMax) &&
              t`Enter a whole number from 0 to ${max}, or nothing.`,
          })}
          call={async (text) => {
            const limit = text('limit')
            await update({ dailyImageLimit: limit === '' ? null : Number(limit) })
            toast(limit === '' ? t`The limit of the site applies again.` : t`The limit is saved.`)
          }}
        >
          <TextField
            label={t`Images per day`}
            hint={t`Leave it empty for the limit of the site.`}
            name="limit"
            inputMode="numeric"
            autoComplete="off"
            maxLength={10}
            defaultValue={user.dailyImageLimit ?? ''}
          />
        </FormDialog>,
      )
    const block = () =>
      confirm({
        title: (
          <Trans>
            Block <UserText text={user.name} />?
          </Trans>
        ),
        description: t`They are signed out everywhere and cannot sign in. Their API keys are revoked and their running generations canceled. Their posts stay.`,
        confirm: t({ message: 'Block', context: 'a user' }),
        outcome: t`The user is blocked.`,
        call: () => update({ blocked: true }),
      })
    const unblock = () =>
      confirm({
        title: (
          <Trans>
            Unblock <UserText text={user.name} />?
          </Trans>
        ),
        description: t`They can sign in again, and create new API keys.`,
        confirm: t({ message: 'Unblock', context: 'a user' }),
        outcome: t`The user is no longer blocked.`,
        call: () => update({ blocked: false }),
      })
    const signOut = () =>
      confirm({
        title: (
          <Trans>
            Sign <UserText text={user.name} /> out everywhere?
          </Trans>
        ),
        description: t`Every session ends at once. They can sign in again, and their API keys stay valid.`,
        confirm: t`Sign out`,
        outcome: t`The user is signed out everywhere.`,
        call: () => run(calls.signOut.mutate({ id })),
      })
    const remove = () =>
      open(
        <FormDialog
          {...common}
          variant="danger"
          title={
            <Trans>
              Delete <UserText text={user.name} />?
            </Trans>
          }
          description={
            isHosted
              ? t`Everything that this site stores about the user is deleted permanently. The account at Clerk stays: delete it in Clerk’s dashboard, or they can come back.`
              : t`The account and every image that was not shared are deleted permanently. This cannot be undone.`
          }
          submit={t({ message: 'Delete', context: 'a user' })}
          outcome={t`The user is deleted.`}
          call={(text) =>
            run(
              calls.delete
                .mutate({ id, posts: text('posts') === 'remove' ? 'remove' : 'keep' })
                .then(() => replace(null)),
            )
          }
        >
          <RadioGroup
            legend={t`The posts they shared`}
            name="posts"
            defaultValue="keep"
            options={[
              { value: 'keep', label: t`Keep the posts under the names they show` },
              {
                value: 'remove',
                label: t`Delete the posts too`,
                hint: t`They leave the gallery for everyone.`,
              },
            ]}
          />
        </FormDialog>,
      )

    const others: MenuItem[] = isOwn
      ? []
      : [
          blocked
            ? { label: t({ message: 'Unblock', context: 'a user' }), onSelect: unblock }
            : { label: t({ message: 'Block', context: 'a user' }), onSelect: block },
        ]
    return [
      ...(isOwn || user.fixedRole !== null ? [] : [{ label: t`Change role`, onSelect: changeRole }]),
      { label: t`Daily image limit`, onSelect: changeLimit },
      ...others,
      // A hosted service has the sessions.
      ...(isHosted ? [] : [{ label: t`Sign out everywhere`, onSelect: signOut }]),
      ...(isOwn ? [] : [{ label: t({ message: 'Delete', context: 'a user' }), onSelect: remove }]),
    ]
  }

  return [dialog, actionsOf]
}
