import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import {
  invitationDaysMax,
  invitationNoteLimit,
  invitationUsesMax,
  type CreatedInvitation,
  type Invitation,
  type InvitationState,
} from '../../../shared/invitations.ts'
import { adminPath, invitationPath } from '../../../shared/routes.ts'
import { exceededLimit } from '../../../shared/text-length.ts'
import { failureMessage } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import { Fact, Facts } from '../../ui/entry-list.tsx'
import {
  TextField,
  Form,
  Field,
  Select,
  textIn,
  useForm,
  type FieldErrors,
  type FormError,
} from '../../ui/form.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import styles from './admin.module.css'

/** Periods to choose from, in days. */
const periods = [1, 7, 30, invitationDaysMax]
const defaultPeriod = 7

/** Links by which users create an account. */
export function InvitationsSection() {
  const { auth } = useSite()
  return auth.kind === 'local' ? <Invitations /> : <InvitationsAtClerk />
}

function InvitationsAtClerk() {
  return (
    <p className={styles['intro']}>
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

function Invitations() {
  const { t } = useLingui()
  const query = trpc.admin.invitations.list.useQuery()
  const { data, refetch } = query
  const [created, setCreated] = useState<CreatedInvitation | null>(null)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const reload = async () => {
    await refetch()
  }
  return (
    <div className={styles['invitations']}>
      <SignUpHint />
      <InvitationForm
        onCreated={(invitation) => {
          setCreated(invitation)
          void reload()
        }}
        onFailed={reload}
      />
      {created && (
        <div className={styles['created']}>
          <OneTimeText
            key={`created ${created.id}`}
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
      {data?.invitations.length === 0 && (
        <p className={styles['intro']}>
          <Trans>There are no invitations yet.</Trans>
        </p>
      )}
      {data && data.invitations.length > 0 && (
        <ul className={styles['invitationList']} aria-label={t`Invitations`} tabIndex={-1} id="invitations">
          {data.invitations.map((invitation) => (
            <InvitationItem
              key={invitation.id}
              invitation={invitation}
              onRevoke={() => setRevoking(invitation)}
            />
          ))}
        </ul>
      )}
      {revoking && (
        <RevokeInvitation
          key={`revoking ${revoking.id}`}
          invitation={revoking}
          onRevoked={async () => {
            if (created?.id === revoking.id) setCreated(null)
            await reload()
          }}
          onClosed={() => setRevoking(null)}
        />
      )}
    </div>
  )
}

/** Says what an invitation is for, given who may create an account at present. */
function SignUpHint() {
  const { data } = trpc.admin.options.get.useQuery()
  return (
    <p className={styles['intro']}>
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

type FormField = 'note' | 'uses'

/** @param props.onFailed called if no answer arrived, as an invitation may have been created nevertheless */
function InvitationForm(props: {
  onCreated: (invitation: CreatedInvitation) => void
  onFailed: () => Promise<void>
}) {
  const { form, errors, failure, isBusy, submit } = useForm<FormField, FormError>(['note', 'uses'])
  const { client } = trpc.useUtils()
  const { t, i18n } = useLingui()

  async function create(element: HTMLFormElement) {
    const note = textIn(element, 'note').trim()
    const maxUses = Number(textIn(element, 'uses'))
    const expiresInDays = Number(textIn(element, 'period'))
    const isCreated = await submit(check({ note, maxUses }, i18n), async () => {
      try {
        props.onCreated(await client.admin.invitations.create.mutate({ note, maxUses, expiresInDays }))
        return null
      } catch (error) {
        await props.onFailed()
        return {
          field: null,
          message:
            failureMessage(error, i18n) ?? t`The invitation could not be created. Try again in a moment.`,
        }
      }
    })
    if (isCreated) element.reset()
  }

  return (
    <Form ref={form} className={styles['invitationForm']} onSubmit={create}>
      <Notice>{failure?.message}</Notice>
      <TextField
        label={t`Note (optional)`}
        hint={t`You will recognize the invitation by it. Only administrators see it.`}
        error={errors.note}
        name="note"
        autoComplete="off"
        readOnly={isBusy}
      />
      <div className={styles['fields']}>
        <TextField
          label={t`Number of accounts`}
          error={errors.uses}
          name="uses"
          type="number"
          inputMode="numeric"
          min={1}
          max={invitationUsesMax}
          defaultValue={1}
          readOnly={isBusy}
        />
        <Field label={t({ message: 'Valid for', context: 'invitation' })}>
          {(control) => (
            <Select {...control} name="period" defaultValue={defaultPeriod}>
              {periods.map((days) => (
                <option key={days} value={days}>
                  {t`${plural(days, { one: '# day', other: '# days' })}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Button variant="primary" type="submit" isBusy={isBusy}>
        {isBusy ? t`Creating…` : t`Create invitation`}
      </Button>
    </Form>
  )
}

function check(input: { note: string; maxUses: number }, i18n: I18n): FieldErrors<FormField> {
  const isCount = Number.isInteger(input.maxUses) && input.maxUses >= 1 && input.maxUses <= invitationUsesMax
  const max = i18n.number(invitationUsesMax)
  return {
    ...(exceededLimit(input.note, invitationNoteLimit) && {
      note: i18n._(msg`Use at most ${invitationNoteLimit.characters} characters.`),
    }),
    ...(!isCount && { uses: i18n._(msg`Enter a number from 1 to ${max}.`) }),
  }
}

const states: Readonly<Record<InvitationState, MessageDescriptor>> = {
  open: msg({ message: 'Valid', context: 'invitation' }),
  used_up: msg({ message: 'Used up', context: 'invitation' }),
  expired: msg({ message: 'Expired', context: 'invitation' }),
  revoked: msg({ message: 'Revoked', context: 'invitation' }),
}

function InvitationItem({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const titleId = useId()
  const { t, i18n } = useLingui()
  const { number, note, state, members, createdAt, createdBy, expiresAt } = invitation
  const used = i18n.number(invitation.uses)
  const max = i18n.number(invitation.maxUses)
  return (
    <li className={styles['invitation']}>
      <div className={styles['title']}>
        <p id={titleId}>
          <Trans>Invitation {number}</Trans>
          {note && (
            <>
              {' · '}
              <UserText text={note} />
            </>
          )}
        </p>
        <Badge tone={state === 'open' ? 'accent' : undefined}>{i18n._(states[state])}</Badge>
      </div>
      <Facts>
        <Fact label={t({ message: 'Accounts', context: 'invitation' })}>{t`${used} of ${max}`}</Fact>
        <Fact label={t({ message: 'Valid until', context: 'invitation' })}>
          <DateTime at={expiresAt} />
        </Fact>
        <Fact label={t({ message: 'Created', context: 'invitation' })}>
          <DateTime at={createdAt} />
        </Fact>
        <Fact label={t({ message: 'Created by', context: 'invitation' })}>
          <UserText text={createdBy} />
        </Fact>
        {members.length > 0 && (
          <Fact label={t({ message: 'Joined', context: 'invitation' })} isWide>
            <ul className={styles['members']}>
              {members.map((name, index) => (
                // Names repeat, and the newest is the first.
                <li key={`${members.length - index} ${name}`}>
                  <UserText text={name} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      {state === 'open' && (
        <div>
          <Button aria-describedby={titleId} onClick={onRevoke}>
            <Trans context="invitation">Revoke</Trans>
          </Button>
        </div>
      )}
    </li>
  )
}

/** Asks for confirmation, then revokes an invitation. */
function RevokeInvitation(props: {
  invitation: Invitation
  onRevoked: () => Promise<void>
  onClosed: () => void
}) {
  const toast = useToast()
  const { t } = useLingui()
  const { client } = trpc.useUtils()
  const { id, number } = props.invitation
  return (
    <ConfirmCall
      title={t`Revoke invitation ${number}?`}
      description={t`No account can be created with its link any more. Accounts that were created with it remain.`}
      confirm={t({ message: 'Revoke', context: 'invitation' })}
      call={async () => {
        await client.admin.invitations.revoke.mutate({ id })
        await props.onRevoked()
        toast(t`The invitation is revoked.`)
        return () => document.getElementById('invitations')
      }}
      failed={t`The invitation could not be revoked. Try again in a moment.`}
      onClosed={props.onClosed}
    />
  )
}
