import { useSite } from '../../api/site.tsx'
import styles from './footer.module.css'

const software = 'Rangoli'

/** Says, quietly, what the site is made with and how to reach whoever runs it. */
export function Footer() {
  const { name, contact } = useSite()
  return (
    <footer className={styles['footer']}>
      <p>
        {name === software ? `${software} is open source.` : `${name} is made with ${software}, open source.`}
      </p>
      {contact && (
        <p>
          Contact: <a href={contact}>{contact.replace(/^mailto:|^https?:\/\/|\/$/g, '')}</a>
        </p>
      )}
    </footer>
  )
}
