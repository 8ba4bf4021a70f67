import { Trans } from '@lingui/react/macro'
import { Link } from 'wouter'
import { collectionPath } from '../../../shared/routes.ts'
import { usePageData } from '../../api/site.tsx'
import { SmallImage } from '../../images/image.tsx'
import { Day } from '../../ui/formats.tsx'
import { UserText } from '../../ui/text.tsx'
import styles from './results.module.css'

/** The collection that is the theme of the gallery at present. */
export function ThemeLine() {
  const { theme } = usePageData()
  if (!theme || theme.featuredUntil === null) return null
  const { cover, title, featuredUntil } = theme
  return (
    <Link href={collectionPath(theme.id)} className={`beside hoverable ${styles['theme']}`}>
      {cover && !cover.isSensitive && <SmallImage image={cover} className="thumb" />}
      <span className="ellipsis">
        <Trans>
          Theme: <UserText text={title} className="strong" />
        </Trans>
      </span>
      <span className="quiet small">
        <Trans>
          until <Day at={featuredUntil} />
        </Trans>
      </span>
    </Link>
  )
}
