import { useState } from 'react'
import type { MadeToken, ApiKey } from '../../../shared/api-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { MadeTokenText } from './made-token.tsx'
import { RevokeToken } from './revoke-token.tsx'
import { Section } from './section.tsx'
import { TokenForm } from './token-form.tsx'
import { TokenList } from './token-list.tsx'
import { useTokens } from './use-tokens.ts'

/** Lets users make, see and revoke the tokens by which programs act as them. */
export function TokensSection({ viewerId }: { viewerId: string }) {
  const { tokens, asOf, failure, reload } = useTokens(viewerId)
  const [made, setMade] = useState<MadeToken | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  return (
    <Section
      title="API tokens"
      intro="A program with a token of yours makes and shares images as you, and shares your daily limit. It can’t change your account. A token works until it expires or you revoke it, even after you sign out or change your password."
    >
      <FailureNotice failure={failure} onSignIn={() => {}} />
      {failure && !failure.needsSignIn && <Button onClick={() => void reload()}>Try again</Button>}
      {!tokens && !failure && <Skeleton shape="line" />}
      {tokens && <TokenList tokens={tokens} asOf={asOf} onRevoke={setRevoking} />}
      {made && <MadeTokenText key={`made ${made.id}`} made={made} onDone={() => setMade(null)} />}
      {tokens && (
        <TokenForm
          onMade={(token) => {
            setMade(token)
            void reload()
          }}
          onFailed={reload}
        />
      )}
      {revoking && (
        <RevokeToken
          key={`revoking ${revoking.id}`}
          token={revoking}
          onRevoked={async () => {
            if (made?.id === revoking.id) setMade(null)
            await reload()
          }}
          onClosed={() => setRevoking(null)}
        />
      )}
    </Section>
  )
}
