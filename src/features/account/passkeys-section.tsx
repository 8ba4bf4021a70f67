import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Passkey } from '../../../shared/account.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Entry, EntryList, Fact } from '../../ui/entry-list.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField, Form, textIn, useForm } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Confirmation } from '../../ui/notice.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { describeCallFailure, FailureNotice, QueryState, type AccountFailure } from '../auth/call-failure.tsx'
import { DeleteEntry } from '../auth/confirm-call.tsx'
import { fieldErrors, nameTooLong } from '../auth/local/account-errors.ts'
import { addPasskey, offersPasskeys } from '../auth/local/passkeys.ts'
import { Section } from './section.tsx'

/** A passkey for which a dialog is open. */
interface OpenDialog {
  readonly passkey: Passkey
  readonly action: 'rename' | 'delete'
}

/**
 * Lists, adds, renames and deletes the passkeys of the signed-in user. Where the browser can't use passkeys of the site, it
 * is shown to users who have some.
 */
export function PasskeysSection({ viewerId }: { viewerId: string }) {
  const { auth } = useSite()
  const { client } = trpc.useUtils()
  const { t } = useLingui()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const query = useQuery({
    queryKey: ['passkeys', viewerId],
    queryFn: () => client.account.passkeys.list.query(),
    // Dropped when the page closes.
    gcTime: 0,
  })
  const { data, refetch } = query
  const canAdd = offersPasskeys(auth)
  if (!canAdd && !data?.length) return null
  const reload = async () => {
    await refetch()
  }
  const common = { onDone: reload, onClosed: () => setDialog(null) }
  return (
    <Section
      title={t`Passkeys`}
      intro={t`Sign in with the fingerprint, face or PIN of a device, or with a security key, instead of your password.`}
    >
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && (
        <EntryList label={t`Your passkeys`} empty={t`You have no passkeys.`}>
          {data.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} onOpen={setDialog} />
          ))}
        </EntryList>
      )}
      {data && canAdd && <PasskeyForm onAdded={reload} />}
      {dialog?.action === 'rename' && <RenamePasskey passkey={dialog.passkey} {...common} />}
      {dialog?.action === 'delete' && <DeletePasskey passkey={dialog.passkey} {...common} />}
    </Section>
  )
}

function elementId(passkeyId: string): string {
  return `passkey-${passkeyId}`
}

function PasskeyItem({ passkey, onOpen }: { passkey: Passkey; onOpen: (dialog: OpenDialog) => void }) {
  const nameId = useId()
  const { t } = useLingui()
  const { id, name, createdAt, lastUsedAt } = passkey
  return (
    <Entry
      id={elementId(id)}
      nameId={nameId}
      name={name}
      actions={
        <>
          <Button aria-describedby={nameId} onClick={() => onOpen({ passkey, action: 'rename' })}>
            <Trans>Rename</Trans>
          </Button>
          <Button aria-describedby={nameId} onClick={() => onOpen({ passkey, action: 'delete' })}>
            <Trans>Delete</Trans>
          </Button>
        </>
      }
    >
      <Fact label={t({ message: 'Added', context: 'passkey' })}>
        <DateTime at={createdAt} />
      </Fact>
      <Fact label={t`Last used`}>
        {lastUsedAt === null ? (
          t({ message: 'Never', context: 'last use of a passkey' })
        ) : (
          <DateTime at={lastUsedAt} />
        )}
      </Fact>
    </Entry>
  )
}

function PasskeyForm({ onAdded }: { onAdded: () => Promise<void> }) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'name', AccountFailure>(['name'])
  const [isAdded, setIsAdded] = useState(false)
  const { t, i18n } = useLingui()

  async function add(element: HTMLFormElement) {
    setIsAdded(false)
    const name = textIn(element, 'name').trim()
    const isAccepted = await submit(nameErrors(name, i18n), async () => {
      const problem = await addPasskey(name, i18n)
      if (!problem) await onAdded()
      return problem
    })
    if (!isAccepted) return
    element.reset()
    setIsAdded(true)
  }

  return (
    <Form ref={form} onSubmit={add} onChange={() => setIsAdded(false)}>
      <FailureNotice failure={failure} onSignIn={clear} />
      <TextField
        label={t`Name of the new passkey`}
        hint={t`For example the device or password manager that keeps it.`}
        error={errors.name}
        name="name"
        required
        autoComplete="off"
        readOnly={isBusy}
      />
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? t`Adding…` : t`Add a passkey`}
      </Button>
      <Confirmation>{isAdded && t`The passkey is added. You can sign in with it from now on.`}</Confirmation>
    </Form>
  )
}

interface PasskeyDialogProps {
  readonly passkey: Passkey
  /** Called when the passkey has changed. */
  readonly onDone: () => Promise<void>
  readonly onClosed: () => void
}

function RenamePasskey({ passkey, onDone, onClosed }: PasskeyDialogProps) {
  const { form, errors, failure, isBusy, submit, clear } = useForm<'name', AccountFailure>(['name'])
  const [open, setOpen] = useState(true)
  const { client } = trpc.useUtils()
  const { t, i18n } = useLingui()
  const close = () => setOpen(false)

  async function save(element: HTMLFormElement) {
    const name = textIn(element, 'name').trim()
    const isSaved = await submit(nameErrors(name, i18n), async () => {
      try {
        await client.account.passkeys.rename.mutate({ id: passkey.id, name })
        await onDone()
        return null
      } catch (error) {
        return describeCallFailure(error, i18n)
      }
    })
    if (isSaved) close()
  }

  return (
    <Dialog
      open={open}
      title={t`Rename the passkey`}
      description={t`The name is shown on this page only. Your device or password manager may show another one.`}
      focusAfter={() => null}
      onClose={() => !isBusy && close()}
      onClosed={onClosed}
    >
      <Form ref={form} onSubmit={save}>
        <FailureNotice
          failure={failure}
          onSignIn={() => {
            clear()
            close()
          }}
        />
        <TextField
          label={t`Name`}
          error={errors.name}
          name="name"
          required
          autoComplete="off"
          defaultValue={passkey.name}
        />
        <DialogActions>
          <Button isBusy={isBusy} onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" type="submit" isBusy={isBusy}>
            {isBusy ? t`Saving…` : t`Save name`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Asks for confirmation, then deletes a passkey. */
function DeletePasskey({ passkey, onDone, onClosed }: PasskeyDialogProps) {
  const { client } = trpc.useUtils()
  const { t } = useLingui()
  const { id, name } = passkey
  return (
    <DeleteEntry
      id={elementId(id)}
      title={
        <Trans>
          Delete “<UserText text={name} />
          ”?
        </Trans>
      }
      description={t`You can no longer sign in with this passkey. Remove it from your device or password manager as well.`}
      confirm={t`Delete`}
      outcome={t`The passkey is deleted.`}
      remove={() => client.account.passkeys.delete.mutate({ id })}
      onRemoved={onDone}
      onClosed={onClosed}
    />
  )
}

function nameErrors(name: string, i18n: I18n) {
  return fieldErrors({ name: name ? nameTooLong(name) : msg`Give the passkey a name.` }, i18n)
}
