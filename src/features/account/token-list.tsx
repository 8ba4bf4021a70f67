import { useId } from 'react'
import type { ReactNode } from 'react'
import type { ApiKey } from '../../../shared/api-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import styles from './tokens.module.css'

/** The id of a token's place in the list. */
export function tokenPlace(tokenId: string): string {
  return `token-${tokenId}`
}

/** What tokens there are, each with the way to revoke it. */
export function TokenList(props: {
  tokens: readonly ApiKey[]
  /** When they were asked for, in milliseconds since 1970: which had expired by then. */
  asOf: number
  onRevoke: (token: ApiKey) => void
}) {
  if (props.tokens.length === 0) return <p className={styles['quiet']}>You have no tokens.</p>
  return (
    <ul className={styles['tokens']} aria-label="Your tokens">
      {props.tokens.map((token) => (
        <TokenItem key={token.id} token={token} asOf={props.asOf} onRevoke={() => props.onRevoke(token)} />
      ))}
    </ul>
  )
}

function TokenItem({ token, asOf, onRevoke }: { token: ApiKey; asOf: number; onRevoke: () => void }) {
  const nameId = useId()
  const { id, name, createdAt, expiresAt, lastUsedAt } = token
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= asOf
  return (
    <li id={tokenPlace(id)} className={styles['token']}>
      <p id={nameId} className={styles['name']}>
        {name}
      </p>
      <Button aria-describedby={nameId} onClick={onRevoke}>
        Revoke
      </Button>
      <dl className={styles['facts']}>
        <Fact label="Made">
          <Moment at={createdAt} />
        </Fact>
        <Fact label="Last used">{lastUsedAt === null ? 'Never' : <Moment at={lastUsedAt} />}</Fact>
        <Fact label={hasExpired ? 'Expired' : 'Expires'} isBad={hasExpired}>
          {expiresAt === null ? 'Never' : <Moment at={expiresAt} />}
        </Fact>
      </dl>
    </li>
  )
}

function Fact(props: { label: string; isBad?: boolean; children: ReactNode }) {
  return (
    <div className={props.isBad ? styles['bad'] : undefined}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
