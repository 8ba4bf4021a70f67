import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useLocation } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { useHydrated } from '../../browser/hydration.ts'
import { useSite } from '../../api/site.tsx'
import { ContactLink, software } from '../../ui/site-links.tsx'
import styles from './footer.module.css'

/** Names the software and the contact of the operator, and leads to the pages about the site. */
export function Footer() {
  const { t } = useLingui()
  const [path] = useLocation()
  const isHydrated = useHydrated()
  const { name: siteName, contact, hasRules } = useSite()
  return (
    <footer id="footer" tabIndex={-1} className={`row quiet small ${styles['footer']}`}>
      <p>
        {siteName === software
          ? t`${software} is open source.`
          : t`${siteName} is made with ${software}, open source.`}
      </p>
      <nav aria-label={t`About this site`} className={`row ${styles['links']}`}>
        <Link href={pagePaths.collections} className={styles['collections']}>{t`Collections`}</Link>
        <Link href={pagePaths.about}>{t`About`}</Link>
        <Link href={pagePaths.verify}>{t`Check an image`}</Link>
        {/* Loads the document, which has the text of the rules. */}
        {hasRules && <a href={pagePaths.rules}>{t`Rules`}</a>}
        {/* So do these. */}
        <a href={pagePaths.reference}>{t`API`}</a>
      </nav>
      <p className="printed">
        {siteName}
        {isHydrated && ` · ${location.origin}${path}`}
      </p>
      {contact && (
        <p>
          <Trans>
            Contact: <ContactLink contact={contact} />
          </Trans>
        </p>
      )}
    </footer>
  )
}
