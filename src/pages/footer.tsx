import { useSite } from '../api/site.tsx'
import styles from './footer.module.css'

const software = 'Rangoli'

/** Says, quietly, what the site is made with. */
export function Footer() {
  const { name } = useSite()
  return (
    <footer className={styles['footer']}>
      <p>
        {name === software ? `${software} is open source.` : `${name} is made with ${software}, open source.`}
      </p>
    </footer>
  )
}
