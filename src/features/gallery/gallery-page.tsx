import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { collectionPath } from '../../../shared/routes.ts'
import { usePageData } from '../../api/site.tsx'
import { store } from '../../browser/apis.ts'
import { SmallImage } from '../../images/image.tsx'
import { visitedKey } from '../../theme/boot-script.ts'
import { pageClass, PageHeading } from '../../ui/page.tsx'
import styles from '../../ui/page.module.css'
import { Day, UserText } from '../../ui/text.tsx'
import { galleryHeading } from './gallery-heading.ts'
import { Examples, Hero, IdeaProvider } from './hero.tsx'
import heroStyles from './hero.module.css'
import { PostList } from './post-list.tsx'
import results from './results.module.css'
import { useGallery, useListAddress } from './use-gallery.ts'

/**
 * The gallery of all posts, or of those that match a search. On a first visit it begins with a heading and examples; in a search,
 * on later visits and when scrolled, with the row of the prompt and the search.
 */
export function GalleryPage() {
  const { i18n } = useLingui()
  const { site, setupLine } = usePageData()
  const address = useListAddress()
  const gallery = useGallery(address)
  useEffect(() => store('localStorage', visitedKey, 'true'), [])
  return (
    <IdeaProvider>
      <div className={`${pageClass} ${heroStyles['page']}`}>
        <div
          className={`${styles['top']} ${heroStyles['top']}`}
          data-folded={address.search !== '' || undefined}
        >
          <PageHeading title={galleryHeading(site, i18n)}>
            {site.welcome ? (
              <UserText text={site.welcome} />
            ) : (
              <Trans>
                Images that users made from text prompts. <span>Look around, or add your own.</span>
              </Trans>
            )}
          </PageHeading>
          {site.engine === 'rangoli' && <Examples />}
        </div>
        {setupLine && <p className="quiet small" dangerouslySetInnerHTML={{ __html: setupLine }} />}
        {address.search === '' && <ThemeLine />}
        <PostList address={address} gallery={gallery} lead={<Hero />} />
      </div>
    </IdeaProvider>
  )
}

/** The collection that is the theme of the gallery at present. */
function ThemeLine() {
  const { theme } = usePageData()
  if (!theme || theme.featuredUntil === null) return null
  const { cover, title, featuredUntil } = theme
  return (
    <Link href={collectionPath(theme.id)} className={`beside tight hoverable ${results['theme']}`}>
      {cover && !cover.isSensitive && <SmallImage image={cover} className="thumb" />}
      <Trans>
        Theme: <UserText text={title} className="strong ellipsis" />
      </Trans>
      <span className="quiet small">
        <Trans>
          until <Day at={featuredUntil} />
        </Trans>
      </span>
    </Link>
  )
}
