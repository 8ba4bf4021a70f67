import { usePageData } from '../../api/site.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { textPageClass } from '../../ui/page.tsx'
import pageStyles from '../../ui/page.module.css'
import styles from '../../ui/prose.module.css'
import { useLanguageOf, UserText } from '../../ui/text.tsx'

/** A page with a text: the rules of the operator, or the description of the REST API. */
export function TextPage() {
  const { text } = usePageData()
  const language = useLanguageOf(text?.html.replaceAll(/<[^>]*>/g, '') ?? '')
  if (!text) return <NotFoundPage />
  return (
    <article className={textPageClass}>
      <UserText as="h1" text={text.title} tabIndex={-1} className={pageStyles['title']} />
      {/* The server escapes HTML in the text. */}
      <div
        dir="auto"
        lang={language}
        className={styles['prose']}
        dangerouslySetInnerHTML={{ __html: text.html }}
      />
    </article>
  )
}
