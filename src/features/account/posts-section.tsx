import { useState } from 'react'
import { Link } from 'wouter'
import type { Visibility } from '../../../shared/posts.ts'
import { authorPath, pagePaths } from '../../../shared/routes.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import { visibilityOptions } from '../../ui/visibility-options.ts'
import { FailureNotice, Section } from './section.tsx'

/** Chooses who sees new posts, and links to the user's posts. */
export function PostsSection({ viewerId }: { viewerId: string }) {
  const api = trpc.useUtils()
  const settings = trpc.account.settings.useQuery()
  const posts = trpc.posts.list.useQuery({ authorId: viewerId, limit: 1 })
  const [chosen, setChosen] = useState<Visibility | null>(null)
  const update = trpc.account.updateSettings.useMutation({
    onSuccess: (saved) => api.account.settings.setData(undefined, saved),
    // The one of the server is shown again.
    onSettled: () => setChosen(null),
  })

  return (
    <Section
      title="Your posts"
      intro={
        <>
          Who sees an image that you share from now on. You can choose differently for each post, also later:
          see <Link href={`${pagePaths.yourImages}?show=shared`}>your shared images</Link>
          {posts.data && posts.data.total > 0 && (
            <>
              {' '}
              or <Link href={authorPath(viewerId)}>your page as others see it</Link>
            </>
          )}
          .
        </>
      }
    >
      {settings.data && (
        <RadioGroup<Visibility>
          legend="Visibility of new posts"
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
      <Notice action={<Button onClick={() => void settings.refetch()}>Try again</Button>}>
        {settings.isLoadingError && 'This setting could not be loaded.'}
      </Notice>
      <FailureNotice failure={update.error && describeUpdateFailure(update.error)} onSignIn={update.reset} />
      <Confirmation>{update.isSuccess && 'Saved.'}</Confirmation>
    </Section>
  )
}

function describeUpdateFailure(error: unknown) {
  const { message, reason } = describeFailure(error)
  return {
    message: message ?? 'The setting could not be saved. Try again in a moment.',
    needsSignIn: reason === 'not_signed_in',
  }
}
