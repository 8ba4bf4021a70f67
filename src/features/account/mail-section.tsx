import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { trpc } from '../../api/trpc.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { useSession } from '../auth/session.ts'
import { Section } from './section.tsx'
import { SettingOutcome, useSettingsMutation } from './settings.tsx'

/** Switches notices by email on and off, on a site that sends mails. */
export function MailSection({ email }: { email: string }) {
  const { t } = useLingui()
  const { viewer } = useSession()
  const settings = trpc.account.settings.useQuery()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const update = trpc.account.updateSettings.useMutation(useSettingsMutation(() => setChosen(null)))
  const address = <bdi>{email}</bdi>
  const isModerator = viewer !== null && viewer.role !== 'member'

  return (
    <Section
      title={t`Notices by email`}
      intro={
        isModerator ? (
          <Trans>
            About decisions on your posts, and about reports and appeals that wait for you, at most once an
            hour. They are sent to {address}.
          </Trans>
        ) : (
          <Trans>When an administrator hides, shows or deletes a post of yours. Sent to {address}.</Trans>
        )
      }
    >
      {settings.data && (
        <Checkbox
          isChecked={chosen ?? settings.data.mailNotices}
          onChange={(mailNotices) => {
            setChosen(mailNotices)
            update.mutate({ mailNotices })
          }}
        >
          <Trans>Send me notices by email</Trans>
        </Checkbox>
      )}
      {settings.isPending && <Skeleton shape="line" />}
      <SettingOutcome settings={settings} update={update} />
    </Section>
  )
}
