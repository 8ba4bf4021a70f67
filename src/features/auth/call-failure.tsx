import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useId, useRef, useState, type ReactNode } from 'react'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { toast } from '../../ui/announcer.tsx'
import { Button, RetryButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import { useSession } from './session.ts'

/** Why a call failed, for its user. */
export interface CallFailure {
  readonly message: string
  readonly field?: string | undefined
  /** True if the session has ended. */
  readonly needsSignIn?: boolean
  readonly code?: string | undefined
}

/** An error that describes itself to the user. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly describe: (i18n: I18n) => CallFailure

  constructor(describe: (i18n: I18n) => CallFailure, cause?: unknown) {
    super('a call failed', { cause })
    this.describe = describe
  }
}

/** Waits for a call about something that may be gone. If it is, calls `onGone`, and throws an error with a message. */
export async function orGone<Result>(
  call: Promise<Result>,
  message: string,
  onGone?: () => void,
): Promise<Result> {
  try {
    return await call
  } catch (error) {
    if (describeFailure(error).reason !== 'not_found') throw error
    onGone?.()
    throw new CallError(() => ({ message }), error)
  }
}

/** Describes a call without a response. */
export function unreachable(i18n: I18n): CallFailure {
  return { message: i18n._(msg`The server could not be reached. Check your connection and try again.`) }
}

/**
 * Describes the error of a call.
 *
 * @param failed message of an error without a more specific one, in place of those of calls of an account
 * @param inputField field that input errors of such a call belong to
 */
export function describeCallFailure(
  error: unknown,
  i18n: I18n,
  failed?: string,
  inputField = 'name',
): CallFailure {
  if (error instanceof CallError) return error.describe(i18n)
  const { kind, reason } = describeFailure(error)
  if (reason === 'not_signed_in')
    return { message: i18n._(msg`You are signed out. Sign in again to continue.`), needsSignIn: true }
  const message = failureMessage(error, i18n)
  if (failed !== undefined) return { message: message ?? failed, code: reason ?? undefined }
  if (kind === 'unreachable') return unreachable(i18n)
  return {
    message: message ?? i18n._(msg`Something went wrong on the server. Try again.`),
    field: reason === 'bad_input' ? inputField : undefined,
  }
}

/**
 * An error message, with a sign-in button if that resolves it.
 *
 * @param props.action another action that may resolve it
 */
export function FailureNotice(props: {
  failure: CallFailure | null | undefined | false
  onSignIn?: () => void
  action?: ReactNode
}) {
  const { openSignIn } = useSession()
  const { failure, onSignIn, action } = props
  if (!failure) return null
  function signIn() {
    onSignIn?.()
    openSignIn()
  }
  return (
    <Notice action={failure.needsSignIn ? <SignInButton onClick={signIn} /> : action}>
      {failure.message}
    </Notice>
  )
}

/** Opens the dialog for signing in, or does what comes before. */
export function SignInButton(props: { variant?: 'primary' | 'plain'; onClick: () => void }) {
  return (
    <Button {...props}>
      <Trans>Sign In</Trans>
    </Button>
  )
}

/**
 * The state of a query whose data is shown: a placeholder while it loads, or why it failed, with a button that tries again, or
 * signs in if the session has ended.
 */
export function QueryState(props: {
  query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown }
  failed?: string
  placeholder?: ReactNode
}) {
  const { data, error, refetch } = props.query
  const { i18n } = useLingui()
  if (data === undefined && !error) return props.placeholder ?? <Skeleton shape="area" />
  return (
    <FailureNotice
      failure={error ? describeCallFailure(error, i18n, props.failed) : null}
      action={<RetryButton onClick={() => void refetch()} />}
    />
  )
}

/** What became of a change: why it failed, or `done`, which says that it worked. */
export function MutationState(props: {
  mutation: { readonly error: unknown; readonly isSuccess: boolean; readonly reset: () => void }
  failed: string
  done?: string
}) {
  const { error, isSuccess, reset } = props.mutation
  const { i18n } = useLingui()
  return (
    <>
      <FailureNotice
        failure={error ? describeCallFailure(error, i18n, props.failed) : null}
        onSignIn={reset}
      />
      {props.done !== undefined && <Confirmation>{isSuccess && props.done}</Confirmation>}
    </>
  )
}

/** The end of a list that is loaded page by page: the state of its query, and a button for the next page. */
export function NextPage(props: {
  query: UseInfiniteQueryResult<unknown, unknown>
  label: string
  onMore?: () => void
  failed?: string
  placeholder?: ReactNode
}) {
  const { query, label, onMore, ...texts } = props
  const { data, error, refetch, fetchNextPage, isFetchingNextPage } = query
  const { t } = useLingui()
  return (
    <>
      <QueryState
        query={{ data, error, refetch: query.isFetchNextPageError ? fetchNextPage : refetch }}
        {...texts}
      />
      {query.hasNextPage && !error && (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={onMore ?? (() => void fetchNextPage())}>
            {isFetchingNextPage ? t`Loading…` : label}
          </Button>
        </div>
      )}
    </>
  )
}

/**
 * Makes one call at a time, and says what it did, unless the call does.
 *
 * @param onSettled called also if it has failed
 * @param options.isQueued true to make further calls later, which are ignored otherwise
 * @param options.isFailureToasted true where no notice says why it failed
 */
export function useCall(
  failed?: string,
  onSettled?: () => Promise<unknown>,
  { isQueued = false, isFailureToasted = false } = {},
) {
  const { i18n } = useLingui()
  const queueId = useId()
  // Two clicks can come before the page is rendered again.
  const isRunning = useRef(false)
  // That of the mutation is only of the last one in the queue.
  const [error, setError] = useState<Error | null>(null)
  const { mutate, isPending } = useMutation({
    ...(isQueued && { scope: { id: queueId } }),
    async mutationFn({ call, outcome }: { call: () => Promise<unknown>; outcome?: string | undefined }) {
      await call()
      if (outcome !== undefined) toast(outcome)
    },
    onError(cause) {
      setError(cause)
      if (isFailureToasted) toast(describeCallFailure(cause, i18n, failed).message)
    },
    async onSettled() {
      try {
        await onSettled?.()
      } finally {
        isRunning.current = false
      }
    },
  })
  return {
    run(call: () => Promise<unknown>, outcome?: string) {
      if (isRunning.current && !isQueued) return
      isRunning.current = true
      setError(null)
      mutate({ call, outcome })
    },
    isBusy: isPending,
    failure: error && describeCallFailure(error, i18n, failed),
    clear: () => setError(null),
  }
}
