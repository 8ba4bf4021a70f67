import { Link } from 'wouter'
import { useSite } from '../api/site.tsx'
import { ResultCount } from '../gallery/result-count.tsx'
import { Results } from '../gallery/results.tsx'
import { SearchForm } from '../gallery/search-form.tsx'
import { useGallery } from '../gallery/use-gallery.ts'
import { galleryPath, useGalleryAddress } from '../gallery/gallery-address.ts'
import { PageHeading } from './page-heading.tsx'
import { galleryHeading } from './page-meta.ts'
import styles from './page.module.css'

/** The gallery: everything that people shared, or what a search finds of it. */
export function GalleryPage() {
  const site = useSite()
  const address = useGalleryAddress()
  const gallery = useGallery(address)
  const { search } = address
  return (
    <div className={styles['page']}>
      <div className={styles['top']}>
        <PageHeading title={galleryHeading(site)}>
          Pictures that people made from words. Look around, or add one of your own.
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
