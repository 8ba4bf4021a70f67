import { useLingui } from '@lingui/react/macro'
import { lazyPart, Skeleton } from '../../../ui/loading.tsx'
import { PageHeading } from '../../../ui/page.tsx'
import pageStyles from '../../../ui/page.module.css'
import { SignedInOnly } from '../../auth/signed-in-only.tsx'
import styles from './image-grid.module.css'
import { PlaceholderGrid } from './placeholder-grid.tsx'

const YourImagesScreen = lazyPart(
  async () => (await import('./your-images-screen.tsx')).YourImagesScreen,
  <Placeholder />,
)

/** The page on which users manage their own images. */
export function YourImagesPage() {
  const { t } = useLingui()
  return (
    <div className={pageStyles['page']}>
      <PageHeading
        title={t`Your images`}
      >{t`All images you generated or uploaded here. Only you see this list.`}</PageHeading>
      <SignedInOnly
        why={t`This page is about your own images, so you need to be signed in to see it.`}
        unavailable={t`Sign-in is unavailable, so your images can’t be shown right now.`}
        placeholder={<Placeholder />}
      >
        {(viewer) => <YourImagesScreen key={viewer.id} viewer={viewer} />}
      </SignedInOnly>
    </div>
  )
}

function Placeholder() {
  return (
    <div className={styles['placeholder']}>
      <Skeleton shape="control" />
      <PlaceholderGrid />
    </div>
  )
}
