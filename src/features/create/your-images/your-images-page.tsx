import { useLingui } from '@lingui/react/macro'
import { lazyPart } from '../../../ui/loading.tsx'
import { Page } from '../../../ui/page.tsx'
import { SignedInOnly } from '../../auth/signed-in-only.tsx'
import { PlaceholderScreen } from './placeholder-grid.tsx'

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
