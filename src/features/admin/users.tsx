import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import {
  sortDirections,
  userSorts,
  type SignInWay,
  type SortDirection,
  type UserSort,
} from '../../../shared/admin.ts'
import { dailyImagesMax, dollarsMax, searchLimit } from '../../../shared/limits.ts'
import { authorPath } from '../../../shared/routes.ts'
import { roles, type Role } from '../../../shared/viewer.ts'
import { pagesOf } from '../../api/pages.ts'
import { useSite } from '../../api/site.tsx'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { toast } from '../../ui/announcer.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Drawer, type DrawerAction } from '../../ui/drawer.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Badge, useShowMore } from '../../ui/entry-list.tsx'
import { RadioGroup, TextField } from '../../ui/form.tsx'
import { formatBytes, formatDollars } from '../../ui/formats.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { UserText } from '../../ui/text.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { NextPage } from '../auth/call-failure.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import { NumberField, numberIn } from './settings.tsx'

const pageSize = 50

type ManagedUser = RouterOutputs['admin']['users']['get']

/** The users of the site, with what administrators decide about them. */
export function Users() {
  const { t } = useLingui()
  const isHosted = useSite().auth.kind !== 'local'
  const { search, sorted, text, setText, sortBy } = useUserQuery()
  const columns = useUserColumns(isHosted)
  const input = { search, ...sorted, limit: pageSize }
  const { client } = trpc.useUtils()
  const query = useInfiniteQuery({
    // tRPC's own key of a list leaves out an input called `direction`.
    queryKey: [...getQueryKey(trpc.admin.users.list), input],
    ...pagesOf((cursor) => client.admin.users.list.query({ ...input, cursor })),
    // The list of an earlier search stays until the next one has loaded.
    placeholderData: keepPreviousData,
    // A new visit begins with the first page; only a change loads all of them again.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  const { data, isPlaceholderData } = query
  const users = data?.pages.flatMap((page) => page.users)
  const total = data?.pages[0]?.total ?? 0
  const { list, showMore } = useShowMore<HTMLTableSectionElement>(
    query,
    users?.length ?? 0,
    (added) => t`${plural(added, { one: 'One more user.', other: '# more users.' })}`,
  )
  const [drawer, open] = useDialog()
  const openUser = (user: ManagedUser) => open(<UserDrawer listed={user} />)
  return (
    <div className="stack">
      {isHosted && (
        <p className="quiet small breakable narrow">
          {t`Users sign in with Clerk: names, passwords, sessions and accounts are managed in its dashboard. The list shows users who have been here.`}
        </p>
      )}
      <form role="search" className="narrow" onSubmit={(event) => event.preventDefault()}>
        <TextField
          label={t`Search users`}
          type="search"
          placeholder={isHosted ? t`Name or id` : t`Name or email`}
          maxLength={searchLimit.codeUnits}
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
          <p id="user-count" tabIndex={-1} role="status" className="quiet small breakable narrow">
            {search === ''
              ? t`${plural(total, { one: '# user', other: '# users' })}`
              : t`${plural(total, { 0: 'No user matches.', one: '# user matches.', other: '# users match.' })}`}
          </p>
          <DataTable
            label={t`Users`}
            ref={list}
            isBusy={isPlaceholderData}
            columns={columns}
            rows={users}
            rowKey={({ id }) => id}
            sorted={sorted}
            onSort={sortBy}
            onOpen={openUser}
          />
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
      {drawer}
    </div>
  )
}

const roleLabels: Readonly<Record<Role, MessageDescriptor>> = {
  member: msg`Member`,
  moderator: msg`Moderator`,
  administrator: msg`Administrator`,
}

const roleHints: Readonly<Record<Role, MessageDescriptor>> = {
  member: msg`Generates images and shares them`,
  moderator: msg`Also reviews reports, hides posts and marks them as sensitive`,
  administrator: msg`Also deletes posts of others, and manages users and the site`,
}

const signInLabels: Readonly<Record<SignInWay, MessageDescriptor>> = {
  password: msg({ message: 'Password', context: 'way to sign in' }),
  passkey: msg({ message: 'Passkey', context: 'way to sign in' }),
  oidc: msg({ message: 'Single sign-on', context: 'way to sign in' }),
}

/** The search and the order in the address, by default the newest first, and the text of the field that searches. */
function useUserQuery() {
  const [parameters, setParameters] = useSearchParams()
  const change = (changes: Record<string, string>) =>
    setParameters((shown) => ({ ...Object.fromEntries(shown), ...changes }), { replace: true })
  const search = parameters.get('q')?.trim() ?? ''
  const [text, setText] = useSearchText(search, (q) => change({ q }))
  const sort = userSorts.find((one) => one === parameters.get('sort')) ?? 'createdAt'
  const direction = sortDirections.find((one) => one === parameters.get('direction')) ?? 'desc'
  const sortBy = (by: UserSort, to: SortDirection) => change({ sort: by, direction: to })
  return { search, sorted: { sort, direction }, text, setText, sortBy }
}

function useUserColumns(isHosted: boolean, timeStyle?: 'short'): readonly Column<ManagedUser, UserSort>[] {
  const { t, i18n } = useLingui()
  const time = (at: string | null) =>
    at === null ? t`Not seen yet` : i18n.date(at, { dateStyle: 'medium', timeStyle })
  return [
    { title: t`Name`, sort: ['name', 'asc'], cell: (user) => <UserName user={user} /> },
    {
      title: isHosted ? t`Id` : t`Email`,
      ...(!isHosted && { sort: ['email', 'asc'] }),
      isText: true,
      cell: ({ id, email }) => <bdi dir="ltr">{email ?? id}</bdi>,
    },
    {
      title: t`Role`,
      sort: ['role', 'desc'],
      cell: ({ role }) => i18n._(roleLabels[role]),
    },
    { title: t`Images`, sort: ['images', 'desc'], isNumber: true, cell: ({ images }) => i18n.number(images) },
    { title: t`Posts`, sort: ['posts', 'desc'], isNumber: true, cell: ({ posts }) => i18n.number(posts) },
    {
      title: t`Storage`,
      sort: ['storedBytes', 'desc'],
      isNumber: true,
      cell: ({ storedBytes }) => formatBytes(storedBytes, i18n),
    },
    { title: t`Last seen`, sort: ['lastSeenAt', 'desc'], cell: ({ lastSeenAt }) => time(lastSeenAt) },
    { title: t`Joined`, sort: ['createdAt', 'desc'], cell: ({ createdAt }) => time(createdAt) },
  ]
}

function UserName({ user: { id, name, blocked } }: { user: ManagedUser }) {
  const { t } = useLingui()
  const { viewer } = useSession()
  return (
    <span className="line">
      <UserText text={name || id} className="name" />
      {id === viewer?.id && <Badge>{t({ message: 'You', comment: "Next to the user's own name" })}</Badge>}
      {blocked && <Badge tone="danger">{t({ message: 'Blocked', comment: 'State of a user' })}</Badge>}
    </span>
  )
}

/** A user with what administrators may do. */
function UserDrawer({ listed }: { listed: ManagedUser }) {
  const { t, i18n } = useLingui()
  const isHosted = useSite().auth.kind !== 'local'
  const { data: user } = trpc.admin.users.get.useQuery(
    { id: listed.id },
    { initialData: listed, retry: false },
  )
  const [leave, setLeave] = useState<string>()
  const actions = useUserActions(user, isHosted, () => setLeave('#user-count'))
  const { id, fixedRole, dailyImageLimit: limit, monthlyBudget: budget } = user
  return (
    <Drawer
      row={user}
      columns={useUserColumns(isHosted, 'short')}
      facts={{
        [t`Role set by`]: fixedRole && <code>{fixedRole}</code>,
        [t`Daily image limit`]:
          limit === null
            ? t`Limit of the site`
            : t`${plural(limit, { 0: 'No images allowed', one: '# image a day', other: '# images a day' })}`,
        [t`Monthly budget`]: budget !== null && formatDollars(budget, i18n),
        [t`Sign-in`]: user.signIn.map((way) => i18n._(signInLabels[way])).join(', '),
        [t`Id`]: user.email !== null && <bdi dir="ltr">{id}</bdi>,
        [t`Public posts`]: user.posts > 0 && <Link href={authorPath(id)}>{t`Show the public posts`}</Link>,
      }}
      actions={actions}
      leave={leave}
    />
  )
}

/** Actions on a user, each of which opens a dialog. @param onRemoved called when the user is deleted */
function useUserActions(
  user: ManagedUser,
  isHosted: boolean,
  onRemoved: () => void,
): readonly (DrawerAction | false)[] {
  const { t, i18n } = useLingui()
  const { viewer } = useSession()
  const api = trpc.useUtils()
  const { users: calls } = api.client.admin
  const { id, name, blocked } = user
  const isOwn = id === viewer?.id
  const spending = trpc.admin.overview.useQuery().data?.spending

  // The log and the figures of other sections include it. A user who was deleted meanwhile leaves the list.
  const onSettled = () => api.admin.invalidate()
  const update = (changes: Omit<Parameters<typeof calls.update.mutate>[0], 'id'>) =>
    calls.update.mutate({ id, ...changes })

  const blocking = blocked
    ? t({ message: 'Unblock', context: 'a user' })
    : t({ message: 'Block', context: 'a user' })
  const deleting = t({ message: 'Delete', context: 'a user' })
  const failed = t`The action failed. Try again in a moment.`
  const confirm = (
    texts: Pick<Parameters<typeof ConfirmCall>[0], 'title' | 'description' | 'confirm' | 'outcome' | 'call'>,
  ) => <ConfirmCall failed={failed} onSettled={onSettled} {...texts} cancel={t`Cancel`} />

  const form = (props: Omit<Parameters<typeof FormDialog>[0], 'failed' | 'submit'> & { submit?: string }) => (
    <FormDialog failed={failed} onSettled={onSettled} submit={t`Save`} {...props} />
  )

  const changeRole = form({
    title: <Sentence of={msg`Role of ${name}`} />,
    description: t`It applies from the next request, in every open window.`,
    outcome: t`The role is saved.`,
    call: (text) => update({ role: roles.find((role) => role === text('role')) ?? user.role }),
    children: (
      <RadioGroup
        legend={t`Role`}
        name="role"
        defaultValue={user.role}
        options={roles.map((value) => ({
          value,
          label: i18n._(roleLabels[value]),
          hint: i18n._(roleHints[value]),
        }))}
      />
    ),
  })
  const changeLimit = form({
    title: <Sentence of={msg`Daily image limit of ${name}`} />,
    description: t`Images that the user may generate each day. Days begin at midnight UTC.`,
    call: async (text) => {
      const limit = numberIn(text('limit'))
      await update({ dailyImageLimit: limit })
      toast(limit === null ? t`The limit of the site applies again.` : t`The limit is saved.`)
    },
    children: (
      <NumberField
        label={t`Images per day`}
        hint={t`Leave it empty for the limit of the site.`}
        name="limit"
        max={dailyImagesMax}
        defaultValue={user.dailyImageLimit ?? ''}
      />
    ),
  })
  const changeBudget = form({
    title: <Sentence of={msg`Monthly budget of ${name}`} />,
    description: t`What images of the user may cost. Months begin at midnight UTC.`,
    outcome: t`The budget is saved.`,
    call: (text) => update({ monthlyBudget: numberIn(text('budget')) }),
    children: (
      <NumberField
        label={t`US dollars per month`}
        hint={t`Leave it empty for the budget of the site's users.`}
        name="budget"
        max={dollarsMax}
        isMoney
        defaultValue={user.monthlyBudget ?? ''}
      />
    ),
  })
  const block = confirm(
    blocked
      ? {
          title: <Sentence of={msg`Unblock ${name}?`} />,
          description: t`They can sign in again, and create new API keys.`,
          confirm: blocking,
          outcome: t`The user is no longer blocked.`,
          call: () => update({ blocked: false }),
        }
      : {
          title: <Sentence of={msg`Block ${name}?`} />,
          description: t`They are signed out everywhere and cannot sign in. Their API keys are revoked and their running generations canceled. Their posts stay.`,
          confirm: blocking,
          outcome: t`The user is blocked.`,
          call: () => update({ blocked: true }),
        },
  )
  const signOut = confirm({
    title: <Sentence of={msg`Sign ${name} out everywhere?`} />,
    description: t`Every session ends at once. They can sign in again, and their API keys stay valid.`,
    confirm: t`Sign out`,
    outcome: t`The user is signed out everywhere.`,
    call: () => calls.signOut.mutate({ id }),
  })
  const remove = form({
    variant: 'danger',
    title: <Sentence of={msg`Delete ${name}?`} />,
    description: isHosted
      ? t`Everything that this site stores about the user is deleted permanently. The account at Clerk stays: delete it in Clerk’s dashboard, or they can come back.`
      : t`The account and every image that was not shared are deleted permanently. This cannot be undone.`,
    submit: deleting,
    outcome: t`The user is deleted.`,
    call: (text) => calls.delete.mutate({ id, posts: text('posts') === 'remove' ? 'remove' : 'keep' }),
    onDone: onRemoved,
    children: (
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
    ),
  })

  return [
    !isOwn && user.fixedRole === null && ['role', t`Change role`, changeRole],
    ['limit', t`Daily image limit`, changeLimit],
    // Money is not mentioned on sites whose images are free.
    (spending || user.monthlyBudget !== null) && ['budget', t`Monthly budget`, changeBudget],
    // A hosted service has the sessions.
    !isHosted && ['sign-out', t`Sign out everywhere`, signOut],
    !isOwn && ['block', blocking, block],
    !isOwn && ['delete', deleting, remove],
  ]
}
