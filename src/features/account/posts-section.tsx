import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Visibility } from '../../../shared/posts.ts'
import { authorPath, pagePaths } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { RadioGroup } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { useVisibilityOptions } from '../../ui/visibility-options.ts'
import { Section } from './section.tsx'
import { SettingOutcome, useSettingsMutation } from './settings.tsx'

const sharedImages = `${pagePaths.yourImages}?show=shared`

/** Chooses who sees new posts, and links to the user's posts. */
export function PostsSection({ viewerId }: { viewerId: string }) {
  const { t } = useLingui()
  const settings = trpc.account.settings.useQuery()
  const posts = trpc.posts.list.useQuery({ authorId: viewerId, limit: 1 })
  const visibilityOptions = useVisibilityOptions()
  const [chosen, setChosen] = useState<Visibility | null>(null)
  const update = trpc.account.updateSettings.useMutation(useSettingsMutation(() => setChosen(null)))

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
      {settings.data && (
        <RadioGroup<Visibility>
          legend={t`Visibility of new posts`}
          name="defaultVisibility"
          value={chosen ?? settings.data.defaultVisibility}
          options={visibilityOptions}
          onChange={(defaultVisibility) => {
            setChosen(defaultVisibility)
            update.mutate({ defaultVisibility })
          }}
        />
      )}
      {settings.isPending && <Skeleton shape="area" />}
      <SettingOutcome settings={settings} update={update} />
    </Section>
  )
}
