import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { AccountSettings } from '../../../shared/account.ts'
import { authorPath, pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { Checkbox, RadioGroup } from '../../ui/form.tsx'
import { formatBytes } from '../../ui/formats.tsx'
import { lazyPart, Skeleton } from '../../ui/loading.tsx'
import { useVisibilityOptions } from '../../ui/post-options.ts'
import { MutationState, QueryState } from '../auth/call-failure.tsx'
import { useSession } from '../auth/session.ts'
import styles from './account.module.css'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DataSection } from './data-section.tsx'
import { Section } from './section.tsx'

/** The sections of every account. */
export function CommonSections({ viewerId, noticesTo }: { viewerId: string; noticesTo: string | null }) {
  return (
    <>
      <PostsSection viewerId={viewerId} />
      {noticesTo !== null && <MailSection email={noticesTo} />}
      <StorageSection />
      <ApiKeysSection />
      <WebhooksSection />
      <DataSection />
    </>
  )
}

const trash = `${pagePaths.yourImages}?show=trash`

/** Shows how much of the user's storage is used; nothing on sites without a limit. */
function StorageSection() {
  const { i18n, t } = useLingui()
  const labelId = useId()
  const { data } = trpc.images.quota.useQuery()
  const storage = data?.storage
  if (!storage) return null
  const isFull = storage.used >= storage.limit
  const used = formatBytes(storage.used, i18n)
  const limit = formatBytes(storage.limit, i18n)
  return (
    <Section
      title={t`Storage`}
      intro={
        <Trans>
          All images that you generated or uploaded, also those in <Link href={trash}>the trash</Link>.
        </Trans>
      }
    >
      <div className="stack tight tabular full">
        <p id={labelId}>
          {isFull
            ? t`Full: ${used} of ${limit}. Delete images, and empty the trash.`
            : t`${used} of ${limit}`}
        </p>
        <div
          role="meter"
          aria-labelledby={labelId}
          aria-valuemin={0}
          aria-valuemax={storage.limit}
          aria-valuenow={Math.min(storage.used, storage.limit)}
          className={isFull ? `${styles['meter']} ${styles['isFull']}` : styles['meter']}
        >
          <span style={{ inlineSize: `${Math.min(1, storage.used / storage.limit) * 100}%` }} />
        </div>
      </div>
    </Section>
  )
}

const sharedImages = `${pagePaths.yourImages}?show=shared`

/** Chooses who sees new posts, and links to the user's posts. */
function PostsSection({ viewerId }: { viewerId: string }) {
  const { t } = useLingui()
  const posts = trpc.posts.list.useQuery({ authorId: viewerId, limit: 1 })
  const visibilityOptions = useVisibilityOptions()
  const { value, choose, outcome } = useSetting('defaultVisibility', <Skeleton shape="area" />)
  return (
    <Section
      title={t`Your posts`}
      intro={
        posts.data && posts.data.total > 0 ? (
          <Trans>
            Who sees an image that you share from now on. You can choose differently for each post, also
            later: see <Link href={sharedImages}>your shared images</Link> or{' '}
            <Link href={authorPath(viewerId)}>your page as others see it</Link>.
          </Trans>
        ) : (
          <Trans>
            Who sees an image that you share from now on. You can choose differently for each post, also
            later: see <Link href={sharedImages}>your shared images</Link>.
          </Trans>
        )
      }
    >
      {value !== undefined && (
        <RadioGroup
          legend={t`Visibility of new posts`}
          name="defaultVisibility"
          value={value}
          options={visibilityOptions}
          onChange={choose}
        />
      )}
      {outcome}
    </Section>
  )
}

/** Switches notices by email on and off, on a site that sends mails. */
function MailSection({ email }: { email: string }) {
  const { t } = useLingui()
  const { viewer } = useSession()
  const { value, choose, outcome } = useSetting('mailNotices', <Skeleton shape="line" />)
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
      {value !== undefined && (
        <Checkbox isChecked={value} onChange={choose}>{t`Send me notices by email`}</Checkbox>
      )}
      {outcome}
    </Section>
  )
}

/**
 * A setting, a function that changes it, and what follows: a placeholder while it loads, why it could not be loaded or saved, or
 * that a change is saved. Changes are sent one after the other, so that the last one wins.
 */
function useSetting<Name extends keyof AccountSettings>(name: Name, placeholder: ReactNode) {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const settings = trpc.account.settings.useQuery()
  const [chosen, setChosen] = useState<AccountSettings[Name] | null>(null)
  const update = useMutation({
    mutationFn: (change: Partial<AccountSettings>) => api.client.account.updateSettings.mutate(change),
    scope: { id: 'account-settings' },
    onSuccess: (saved) => api.account.settings.setData(undefined, saved),
  })
  return {
    /** Undefined until loaded. */
    value: chosen ?? settings.data?.[name],
    choose(value: AccountSettings[Name]) {
      setChosen(value)
      // After the last change, the setting of the server is shown again.
      update.mutate({ [name]: value }, { onSettled: () => setChosen(null) })
    },
    outcome: (
      <>
        <QueryState
          query={settings}
          failed={t`This setting could not be loaded.`}
          placeholder={placeholder}
        />
        <MutationState
          mutation={update}
          failed={t`The setting could not be saved. Try again in a moment.`}
          done={t`Saved.`}
        />
      </>
    ),
  }
}

const Webhooks = lazyPart(
  async () => (await import('../webhooks/webhook-list.tsx')).Webhooks,
  <Skeleton shape="line" />,
)

/** Webhooks about the signed-in user's images and posts. */
function WebhooksSection() {
  const { t } = useLingui()
  return (
    <Section
      title={t`Webhooks`}
      intro={t`The site sends your server a signed request when something happens to your images and posts, and repeats it for about three days until the server accepts it.`}
    >
      <Webhooks owner="user" />
    </Section>
  )
}
