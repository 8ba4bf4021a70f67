import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { trpc } from '../../api/trpc.ts'
import { RetryButton } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import { useSession } from '../auth/session.ts'
import styles from './account.module.css'
import { FailureNotice, Section } from './section.tsx'
import { describeUpdateFailure, useSettingsMutation } from './settings.ts'

/** Switches notices by email on and off, on a site that sends mails. */
export function MailSection({ email }: { email: string }) {
  const { t, i18n } = useLingui()
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
        <label className={styles['toggle']}>
          <input
            type="checkbox"
            checked={chosen ?? settings.data.mailNotices}
            onChange={(event) => {
              const mailNotices = event.currentTarget.checked
              setChosen(mailNotices)
              update.mutate({ mailNotices })
            }}
          />
          <Trans>Send me notices by email</Trans>
        </label>
      )}
      {settings.isPending && <Skeleton shape="line" />}
      <Notice action={<RetryButton onClick={() => void settings.refetch()} />}>
        {settings.isLoadingError && t`This setting could not be loaded.`}
      </Notice>
      <FailureNotice
        failure={update.error && describeUpdateFailure(update.error, i18n)}
        onSignIn={update.reset}
      />
      <Confirmation>{update.isSuccess && t`Saved.`}</Confirmation>
    </Section>
  )
}
