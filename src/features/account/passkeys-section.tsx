import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Passkey } from '../../../shared/account.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { useDialog } from '../../ui/use-dialog.tsx'
import { Entry, EntryList, Fact } from '../../ui/entry-list.tsx'
import { TextField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { DeleteEntry } from '../auth/confirm-call.tsx'
import { nameError } from '../auth/local/account-errors.ts'
import { addPasskey, offersPasskeys } from '../auth/local/passkeys.ts'
import { Section } from './section.tsx'

const checkName = (text: (field: string) => string) => ({
  name: nameError(text('name'), msg`Give the passkey a name.`),
})

/**
 * Lists, adds, renames and deletes the passkeys of the signed-in user. Where the browser can't use passkeys of the site, it
 * is shown to users who have some.
 */
export function PasskeysSection({ viewerId }: { viewerId: string }) {
  const { auth } = useSite()
  const { client } = trpc.useUtils()
  const { t, i18n } = useLingui()
  const [dialog, open] = useDialog()
  const query = useQuery({
    queryKey: ['passkeys', viewerId],
    queryFn: () => client.account.passkeys.list.query(),
    // Dropped when the page closes.
    gcTime: 0,
  })
  const { data, refetch } = query
  const canAdd = offersPasskeys(auth)
  if (!canAdd && !data?.length) return null

  const rename = ({ id, name }: Passkey) =>
    open((onClosed) => (
      <FormDialog
        title={t`Rename the passkey`}
        description={t`The name is shown on this page only. Your device or password manager may show another one.`}
        submit={t`Save name`}
        busy={t`Saving…`}
        check={checkName}
        call={async (text) => {
          await client.account.passkeys.rename.mutate({ id, name: text('name') })
          await refetch()
        }}
        onClosed={onClosed}
      >
        <TextField label={t`Name`} name="name" required autoComplete="off" defaultValue={name} />
      </FormDialog>
    ))
  const remove = ({ id, name }: Passkey) =>
    open((onClosed) => (
      <DeleteEntry
        id={id}
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
        onRemoved={() => refetch()}
        onClosed={onClosed}
      />
    ))

  return (
    <Section
      title={t`Passkeys`}
      intro={t`Sign in with the fingerprint, face or PIN of a device, or with a security key, instead of your password.`}
    >
      <QueryState query={query} placeholder={<Skeleton shape="line" />} />
      {data && (
        <EntryList label={t`Your passkeys`} empty={t`You have no passkeys.`}>
          {data.map((passkey) => (
            <Entry
              key={passkey.id}
              id={passkey.id}
              name={passkey.name}
              actions={[
                [t`Rename`, () => rename(passkey)],
                [t`Delete`, () => remove(passkey)],
              ]}
            >
              <Fact label={t({ message: 'Added', context: 'passkey' })} at={passkey.createdAt} />
              <Fact
                label={t`Last used`}
                at={passkey.lastUsedAt}
                never={t({ message: 'Never', context: 'last use of a passkey' })}
              />
            </Entry>
          ))}
        </EntryList>
      )}
      {data && canAdd && (
        <CallForm
          submit={t`Add a passkey`}
          busy={t`Adding…`}
          check={checkName}
          call={async (text) => {
            const failure = await addPasskey(text('name'), i18n)
            if (!failure) await refetch()
            return failure
          }}
          onDone={(form) => form.reset()}
          done={t`The passkey is added. You can sign in with it from now on.`}
        >
          <TextField
            label={t`Name of the new passkey`}
            hint={t`For example the device or password manager that keeps it.`}
            name="name"
            required
            autoComplete="off"
          />
        </CallForm>
      )}
      {dialog}
    </Section>
  )
}
