import { useLingui } from '@lingui/react/macro'
import { lazyPart, Skeleton } from '../../../ui/loading.tsx'
import { Page } from '../../../ui/page.tsx'
import { SignedInOnly } from '../../auth/signed-in-only.tsx'
import styles from './timeline.module.css'

const YourImagesScreen = lazyPart(
  async () => (await import('./your-images-screen.tsx')).YourImagesScreen,
  <PlaceholderScreen />,
)

/** The page on which users manage their own images. */
export function YourImagesPage() {
  const { t } = useLingui()
  return (
    <Page
      title={t`Your images`}
      intro={t`All images you generated or uploaded here. Only you see this list.`}
    >
      <SignedInOnly
        why={t`This page is about your own images, so you need to be signed in to see it.`}
        unavailable={t`Sign-in is unavailable, so your images can’t be shown right now.`}
        placeholder={<PlaceholderScreen />}
      >
        {(viewer) => <YourImagesScreen key={viewer.id} viewer={viewer} />}
      </SignedInOnly>
    </Page>
  )
}

/** Placeholders of a user's images while they load. */
export function PlaceholderGrid() {
  const { t } = useLingui()
  return (
    <div role="progressbar" aria-label={t`Loading your images`} className={styles['grid']}>
      {[1, 2, 3, 4, 5, 6].map((image) => (
        <Skeleton key={image} shape="square" />
      ))}
    </div>
  )
}

/** The same below a placeholder of their search. */
export function PlaceholderScreen() {
  return (
    <div className="stack widest">
      <Skeleton shape="control" />
      <PlaceholderGrid />
    </div>
  )
}
