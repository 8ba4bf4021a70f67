import { usePageData } from '../../api/site.tsx'
import { NotFoundPage } from '../../ui/not-found-page.tsx'
import pageStyles from '../../ui/page.module.css'
import styles from '../../ui/prose.module.css'
import { useLanguageOf, UserText } from '../../ui/user-text.tsx'

/** The rules of the site, as the operator wrote them. */
export function RulesPage() {
  const { rules } = usePageData()
  const language = useLanguageOf(rules?.html.replaceAll(/<[^>]*>/g, '') ?? '')
  if (!rules) return <NotFoundPage />
  return (
    <article className={pageStyles['page']}>
      <UserText as="h1" text={rules.title} tabIndex={-1} className={pageStyles['title']} />
      {/* The server escapes HTML in the rules. */}
      <div
        dir="auto"
        lang={language}
        className={styles['prose']}
        dangerouslySetInnerHTML={{ __html: rules.html }}
      />
    </article>
  )
}
