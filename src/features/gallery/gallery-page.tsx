import { Link } from 'wouter'
import { useSite } from '../../api/site.tsx'
import { ResultCount, Results } from './results.tsx'
import { SearchForm } from './search-form.tsx'
import { useGallery } from './use-gallery.ts'
import { galleryPath, useGalleryAddress } from './gallery-address.ts'
import { PageHeading } from '../../ui/page.tsx'
import { galleryHeading } from '../../../shared/page-data.ts'
import styles from '../../ui/page.module.css'

/** The gallery of all posts, or of those that match a search. */
export function GalleryPage() {
  const site = useSite()
  const address = useGalleryAddress()
  const gallery = useGallery(address)
  const { search } = address
  return (
    <div className={styles['page']}>
      <div className={styles['top']}>
        <PageHeading title={galleryHeading(site)}>
          Images that users made from text prompts. Look around, or add your own.
        </PageHeading>
        <SearchForm />
      </div>
      <div className={styles['results']}>
        {search && <h2 className={styles['term']}>{`Results for ${search}`}</h2>}
        <ResultCount total={gallery.firstPage ? gallery.total : null} isLoading={gallery.isLoading} />
        {address.cursor !== null && <Link href={galleryPath(search)}>Back to the newest posts</Link>}
        <Results gallery={gallery} />
      </div>
    </div>
  )
}
