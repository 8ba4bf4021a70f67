import { useSite } from '../../api/site.tsx'
import styles from './footer.module.css'

const software = 'Rangoli'

/** Names the software and the contact of the operator. */
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
