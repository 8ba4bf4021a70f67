import { useEffect } from 'react'
import { useSite } from './site.tsx'

/** Sets the title of the document to that of what is shown, and restores it afterwards. Does nothing while it is unknown. */
export function useTitle(shown: string | null | undefined): void {
  const { name } = useSite()
  useEffect(() => {
    if (!shown) return
    const title = `${shown} — ${name}`
    // The document comes with the title of its first page, which does not outlast that page.
    const previous = document.title === title ? name : document.title
    document.title = title
    return () => {
      document.title = previous
    }
  }, [shown, name])
}
