import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, useEffect, useState } from 'react'
import type { FormEvent } from 'react'
import { useSearchParams } from 'wouter'
import type { ManagedUser } from '../../../shared/admin-users.ts'
import { searchDebounceMs, searchLimit } from '../../../shared/limits.ts'
import { failureMessage } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { Button, RetryButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { LazyPart, Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useShowMore } from '../../ui/use-show-more.ts'
import { useSession } from '../auth/session.ts'
import { UserItem, type UserAction } from './user-item.tsx'
import styles from './users-section.module.css'
import { useUserCache, useUsers } from './use-users.ts'

const UserDialog = lazy(() => import('./user-dialogs.tsx').then((module) => ({ default: module.UserDialog })))

/** Name of the query parameter with the search. */
const searchParameter = 'q'

/** The users of the site, with what administrators decide about them. */
export function UsersSection() {
  const { t, i18n } = useLingui()
  const { auth } = useSite()
  const { viewer } = useSession()
  const [text, search, setText] = useUserSearch()
  const { users, total, isCurrent, error, ...page } = useUsers(search)
  const cache = useUserCache(search)
  const { list, showMore } = useShowMore(
    page,
    users?.length ?? 0,
    (added) => t`${plural(added, { one: 'One more user.', other: '# more users.' })}`,
  )
  const [dialog, setDialog] = useState<{ user: ManagedUser; action: UserAction } | null>(null)
  const isHosted = auth.kind !== 'local'

  return (
    <div className={styles['screen']}>
      {isHosted && (
        <p className={styles['quiet']}>
          <Trans>
            Users sign in with Clerk: names, passwords, sessions and accounts are managed in its dashboard.
            The list shows users who have been here.
          </Trans>
        </p>
      )}
      <SearchField text={text} onChange={setText} isHosted={isHosted} />
      <Notice action={<RetryButton onClick={page.retry} />}>
        {error && (failureMessage(error, i18n) ?? t`The users could not be loaded.`)}
      </Notice>
      {users === null && !error && <Placeholder />}
      {users && (
        <>
          <p id="user-count" tabIndex={-1} role="status" className={styles['quiet']}>
            {search === ''
              ? t`${plural(total, { one: '# user', other: '# users' })}`
              : t`${plural(total, { 0: 'No user matches.', one: '# user matches.', other: '# users match.' })}`}
          </p>
          <ul ref={list} className={styles['users']} aria-busy={!isCurrent}>
            {users.map((user) => (
              <UserItem
                key={user.id}
                user={user}
                isOwn={user.id === viewer?.id}
                canSignOut={!isHosted}
                onAction={(action) => setDialog({ user, action })}
              />
            ))}
          </ul>
          {page.hasMore && (
            <div>
              <Button aria-disabled={page.isLoadingMore} onClick={showMore}>
                {page.isLoadingMore ? t`Loading…` : t`Show more`}
              </Button>
            </div>
          )}
        </>
      )}
      {dialog && (
        <LazyPart fallback={null}>
          <UserDialog
            key={`${dialog.user.id} ${dialog.action}`}
            user={dialog.user}
            action={dialog.action}
            isHosted={isHosted}
            cache={cache}
            onClosed={() => setDialog(null)}
          />
        </LazyPart>
      )}
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
      <Field label={t`Search users`}>
        {(control) => (
          <input
            {...control}
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
        )}
      </Field>
    </form>
  )
}

function Placeholder() {
  return (
    <div aria-hidden="true" className={styles['placeholder']}>
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} shape="control" />
      ))}
    </div>
  )
}
