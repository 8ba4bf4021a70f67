import { Trans, useLingui } from '@lingui/react/macro'
import { useSite } from '../../api/site.tsx'
import styles from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page.tsx'
import { useGallery, useListAddress } from './use-gallery.ts'
import { galleryHeading } from './gallery-heading.ts'
import { Hero } from './hero.tsx'
import { PostList } from './post-list.tsx'

/** The gallery of all posts, or of those that match a search. */
export function GalleryPage() {
  const { i18n } = useLingui()
  const site = useSite()
  const address = useListAddress()
  const gallery = useGallery(address)
  return (
    <div className={styles['page']}>
      <div className={styles['top']}>
        <PageHeading title={galleryHeading(site, i18n)}>
          <Trans>
            Images that users made from text prompts. <span>Look around, or add your own.</span>
          </Trans>
        </PageHeading>
        <Hero />
      </div>
      <PostList address={address} gallery={gallery} />
    </div>
  )
}
