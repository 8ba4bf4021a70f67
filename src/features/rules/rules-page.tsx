import { useRules } from '../../api/site.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import pageStyles from '../../ui/page.module.css'
import styles from '../../ui/prose.module.css'

/** The rules of the site, as the operator wrote them. */
export function RulesPage() {
  const rules = useRules()
  if (!rules) return <NotFoundPage />
  return (
    <article className={pageStyles['page']}>
      <h1 tabIndex={-1} dir="auto" className={pageStyles['title']}>
        {rules.title}
      </h1>
      {/* The server escapes HTML in the rules. */}
      <div className={styles['prose']} dangerouslySetInnerHTML={{ __html: rules.html }} />
    </article>
  )
}
