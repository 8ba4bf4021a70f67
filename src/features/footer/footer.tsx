import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { ContactLink, software } from '../../ui/site-links.tsx'
import styles from './footer.module.css'

/** Names the software and the contact of the operator, and leads to the pages about the site. */
export function Footer() {
  const { name, contact, hasRules } = useSite()
  return (
    <footer id="footer" tabIndex={-1} className={styles['footer']}>
      <p>
        {name === software ? `${software} is open source.` : `${name} is made with ${software}, open source.`}
      </p>
      <nav aria-label="About this site" className={styles['links']}>
        <Link href={pagePaths.about}>About</Link>
        {/* Loads the document, which has the text of the rules. */}
        {hasRules && <a href={pagePaths.rules}>Rules</a>}
        <a href="/api/v1/docs">API</a>
      </nav>
      {contact && (
        <p>
          Contact: <ContactLink contact={contact} />
        </p>
      )}
    </footer>
  )
}
