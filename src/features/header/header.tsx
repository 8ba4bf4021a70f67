import { Link } from 'wouter'
import { pagePaths } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { LanguagePicker } from '../../i18n/language-picker.tsx'
import { Mark } from '../../ui/brand/mark.tsx'
import { ThemePicker } from '../../theme/theme-picker.tsx'
import { Account } from './account.tsx'
import styles from './header.module.css'

/** The header of every page. */
export function Header() {
  const { name } = useSite()
  return (
    <header className={styles['header']}>
      <div className={styles['inner']}>
        <div className={styles['home']}>
          <Link href={pagePaths.gallery} className={styles['logo']}>
            <Mark size={32} />
            <span className={styles['name']}>{name}</span>
          </Link>
        </div>
        <div className={styles['controls']}>
          {/* Its width depends on the session. It grows into free space, without a layout shift. */}
          <Account />
          <LanguagePicker />
          <ThemePicker />
        </div>
      </div>
    </header>
  )
}
