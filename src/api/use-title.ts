import { useEffect } from 'react'
import { useSite } from './site.tsx'

/** Titles of the page and of what is over it: the last one is that of the document. */
const titles: string[] = []

/** Sets the title of the document until the component is removed. Does nothing while it is unknown. */
export function useDocumentTitle(title: string | null | undefined): void {
  const { name } = useSite()
  useEffect(() => {
    if (!title) return
    titles.push(title)
    document.title = title
    return () => {
      titles.splice(titles.lastIndexOf(title), 1)
      document.title = titles.at(-1) ?? name
    }
  }, [title, name])
}

/** Sets the title of the document to that of what is shown, and the name of the site. */
export function useTitle(shown: string | null | undefined): void {
  const { name } = useSite()
  useDocumentTitle(shown && `${shown} — ${name}`)
}
