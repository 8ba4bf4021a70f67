import { useSite } from '../api/site.tsx'
import { ResultCount } from '../gallery/result-count.tsx'
import { Results } from '../gallery/results.tsx'
import { SearchForm } from '../gallery/search-form.tsx'
import { usePosts } from '../gallery/use-posts.ts'
import { useSearchTerm } from '../gallery/use-search-term.ts'
import { PageHeading } from './page-heading.tsx'
import { galleryHeading } from './page-meta.ts'
import styles from './page.module.css'

/** The gallery: everything that people shared, or what a search finds of it. */
export function GalleryPage() {
  const site = useSite()
  const [term] = useSearchTerm()
  const found = usePosts(term)
  return (
    <div className={styles['page']}>
      <div className={styles['top']}>
        <PageHeading title={galleryHeading(site)}>
          Pictures that people made from words. Look around, or add one of your own.
        </PageHeading>
        <SearchForm />
      </div>
      <div className={styles['results']}>
        {term && <h2 className={styles['term']}>{`Results for ${term}`}</h2>}
        <ResultCount total={found.posts && found.total} isLoading={found.isLoading} />
        <Results found={found} isSearch={term !== ''} />
      </div>
    </div>
  )
}
