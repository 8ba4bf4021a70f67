import { useRef, useState } from 'react'
import type { ApiKey } from '../../../shared/api-keys.ts'
import { isMissing } from '../../api/is-gone.ts'
import { trpc } from '../../api/trpc.ts'
import { useSignInInstead } from '../auth/sign-in-instead.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Question } from '../../ui/question.tsx'
import { tokenFailure } from './token-failure.ts'
import { tokenPlace } from './token-list.tsx'

/** Asks whether a token shall really end, and ends it. */
export function RevokeToken(props: { token: ApiKey; onRevoked: () => Promise<void>; onClosed: () => void }) {
  const [open, setOpen] = useState(true)
  const focusAfter = useRef<HTMLElement | null>(null)
  const signInInstead = useSignInInstead(() => setOpen(false))
  const announce = useAnnounce()
  const revoke = trpc.account.tokens.revoke.useMutation()
  const { id, name } = props.token

  async function confirm() {
    if (!(await isMissing(revoke.mutateAsync({ id })))) return
    focusAfter.current = neighbourOf(id)
    await props.onRevoked()
    announce('The token is revoked.')
    setOpen(false)
  }

  const failure = revoke.error && tokenFailure(revoke.error)
  return (
    <Question
      open={open}
      title={`Revoke “${name}”?`}
      description="Programs that use it are refused from now on. This cannot be undone."
      confirm="Revoke"
      cancel="Keep it"
      isBusy={revoke.isPending}
      failure={failure && failure.message}
      failureAction={failure?.needsSignIn && signInInstead.button}
      focusAfter={() => focusAfter.current}
      onConfirm={() => void confirm()}
      onCancel={() => setOpen(false)}
      onClosed={() => {
        props.onClosed()
        signInInstead.afterClosed()
      }}
    />
  )
}

/** Where a user goes on when a token has left the list: at the one beside it, or in the form for another. */
function neighbourOf(tokenId: string): HTMLElement | null {
  const place = document.getElementById(tokenPlace(tokenId))
  const neighbour = place?.nextElementSibling ?? place?.previousElementSibling
  return neighbour?.querySelector('button') ?? place?.closest('section')?.querySelector('form input') ?? null
}
