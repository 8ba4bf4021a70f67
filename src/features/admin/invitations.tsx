import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import {
  invitationDaysMax,
  invitationNoteLimit,
  invitationUsesMax,
  type InvitationState,
} from '../../../shared/invitations.ts'
import { adminPath, invitationPath } from '../../../shared/routes.ts'
import { exceededLimit } from '../../../shared/text-length.ts'
import { useSite } from '../../api/site.tsx'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { DataTable, useSortedRows, type Column } from '../../ui/data-table.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Badge } from '../../ui/entry-list.tsx'
import { SelectField, TextField } from '../../ui/form.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm, ConfirmCall } from '../auth/call-form.tsx'
import styles from './admin.module.css'
import { NumberField } from './settings.tsx'

type Invitation = RouterOutputs['admin']['invitations']['list']['invitations'][number]

/** Periods to choose from, in days. */
const periods = [1, 7, 30, invitationDaysMax]
const defaultPeriod = 7

/** Links by which users create an account. */
export function Invitations() {
  const { auth } = useSite()
  if (auth.kind === 'local') return <LocalInvitations />
  return (
    <p className="intro">
      <Trans>
        The accounts of this site are at Clerk, which has invitations of its own. Invite users in{' '}
        <a href="https://dashboard.clerk.com" rel="noreferrer">
          Clerk’s dashboard
        </a>
        .
      </Trans>
    </p>
  )
}

function LocalInvitations() {
  const { t } = useLingui()
  const { client } = trpc.useUtils()
  const query = trpc.admin.invitations.list.useQuery()
  const { data, refetch } = query
  const [created, setCreated] = useState<RouterOutputs['admin']['invitations']['create'] | null>(null)
  const [dialog, open] = useDialog()

  const revoke = ({ id, number }: Invitation) =>
    open(
      <ConfirmCall
        title={t`Revoke invitation ${number}?`}
        description={t`No account can be created with its link any more. Accounts that were created with it remain.`}
        confirm={t({ message: 'Revoke', context: 'invitation' })}
        outcome={t`The invitation is revoked.`}
        call={async () => {
          await client.admin.invitations.revoke.mutate({ id })
          setCreated((shown) => (shown?.id === id ? null : shown))
          await refetch()
        }}
        failed={t`The invitation could not be revoked. Try again in a moment.`}
      />,
    )

  const columns = useInvitationColumns(revoke)
  const sorted = useSortedRows(data?.invitations ?? [], 'number')

  return (
    <div className="stack widest">
      <SignUpHint />
      <CallForm
        className="narrow"
        variant="primary"
        submit={t`Create invitation`}
        busy={t`Creating…`}
        failed={t`The invitation could not be created. Try again in a moment.`}
        call={async (text) => {
          const [maxUses, expiresInDays] = [Number(text('uses')), Number(text('period'))]
          const input = { note: text('note'), maxUses, expiresInDays }
          setCreated(await client.admin.invitations.create.mutate(input))
        }}
        onSettled={refetch}
        onDone={(form) => form.reset()}
      >
        <TextField
          label={t`Note (optional)`}
          hint={t`You will recognize the invitation by it. Only administrators see it.`}
          name="note"
          autoComplete="off"
          check={(text) =>
            exceededLimit(text, invitationNoteLimit) &&
            msg`Use at most ${invitationNoteLimit.characters} characters.`
          }
        />
        <div className={styles['fields']}>
          <NumberField
            label={t`Number of accounts`}
            name="uses"
            type="number"
            min={1}
            max={invitationUsesMax}
            isRequired
            defaultValue={1}
          />
          <SelectField
            label={t({ message: 'Valid for', context: 'invitation' })}
            name="period"
            defaultValue={defaultPeriod}
            options={periods.map((days) => [
              String(days),
              t`${plural(days, { one: '# day', other: '# days' })}`,
            ])}
          />
        </div>
      </CallForm>
      {created && (
        <div className="narrow">
          <OneTimeText
            key={created.id}
            label={t`Link of the new invitation`}
            hint={t`Send it to those whom you invite. It is not shown again: the site does not store it.`}
            value={window.location.origin + invitationPath(created.token)}
            copied={t`The link is on your clipboard.`}
            notCopied={t`The browser did not copy the link. Copy the selected text yourself.`}
            onDone={() => setCreated(null)}
          />
        </div>
      )}
      <QueryState query={query} failed={t`The invitations could not be loaded.`} />
      {data && (
        <DataTable
          label={t`Invitations`}
          empty={t`There are no invitations yet.`}
          columns={columns}
          {...sorted}
          rowKey={({ id }) => id}
        />
      )}
      {dialog}
    </div>
  )
}

/** Says what an invitation is for, given who may create an account at present. */
function SignUpHint() {
  const { data } = trpc.admin.options.get.useQuery()
  return (
    <p className="intro">
      {data?.options.signUp === 'open' && (
        <Trans>
          Everyone can create an account at present, also without an invitation. The{' '}
          <SettingsLink>settings</SettingsLink> restrict sign-up to invitations.
        </Trans>
      )}
      {data?.options.signUp === 'closed' && (
        <Trans>
          Sign-up is closed at present, also for those with an invitation. The{' '}
          <SettingsLink>settings</SettingsLink> open it for invitations.
        </Trans>
      )}
      {data?.options.signUp === 'invite' && (
        <Trans>Accounts can be created only with the link of an invitation.</Trans>
      )}
    </p>
  )
}

function SettingsLink({ children }: { children: ReactNode }) {
  return <Link href={adminPath('settings')}>{children}</Link>
}

const states: Readonly<Record<InvitationState, MessageDescriptor>> = {
  open: msg({ message: 'Valid', context: 'invitation' }),
  used_up: msg({ message: 'Used up', context: 'invitation' }),
  expired: msg({ message: 'Expired', context: 'invitation' }),
  revoked: msg({ message: 'Revoked', context: 'invitation' }),
}

function useInvitationColumns(
  revoke: (invitation: Invitation) => void,
): readonly Column<Invitation, keyof Invitation>[] {
  const { t, i18n } = useLingui()
  const day = (at: string) => i18n.date(at, { dateStyle: 'medium' })
  return [
    {
      title: t`Invitation`,
      sort: ['number', 'desc'],
      cell: ({ number, note, members }) => (
        <>
          <Trans>Invitation {number}</Trans>
          {note && ' · '}
          {note && <UserText text={note} />}
          {members.length > 0 && (
            <dl className="line quiet">
              <dt>{t({ message: 'Joined', context: 'invitation' })}</dt>
              {members.map((name, index) => (
                // Names repeat, and the newest is the first.
                <dd key={`${members.length - index} ${name}`}>
                  <UserText text={name} />
                </dd>
              ))}
            </dl>
          )}
        </>
      ),
    },
    {
      title: t({ message: 'State', context: 'invitation' }),
      sort: ['state', 'asc'],
      cell: ({ state }) => (
        <Badge tone={state === 'open' ? 'accent' : undefined}>{i18n._(states[state])}</Badge>
      ),
    },
    {
      title: t({ message: 'Accounts', context: 'invitation' }),
      cell({ uses, maxUses }) {
        const [used, max] = [i18n.number(uses), i18n.number(maxUses)]
        return t`${used} of ${max}`
      },
    },
    {
      title: t({ message: 'Valid until', context: 'invitation' }),
      sort: ['expiresAt', 'desc'],
      cell: ({ expiresAt }) => day(expiresAt),
    },
    {
      title: t({ message: 'Created', context: 'invitation' }),
      cell: ({ createdAt, createdBy }) => (
        <>
          {day(createdAt)}
          <br />
          <UserText text={createdBy} className="quiet" />
        </>
      ),
    },
    {
      title: t`Actions`,
      isControl: true,
      cell(invitation) {
        const { number, state } = invitation
        return (
          state === 'open' && (
            <Button aria-label={t`Revoke invitation ${number}`} onClick={() => revoke(invitation)}>
              {t({ message: 'Revoke', context: 'invitation' })}
            </Button>
          )
        )
      },
    },
  ]
}
