import { useEffect } from 'react'
import { useSite } from './site.tsx'

/** Sets the title of the document to that of what is shown, and restores it afterwards. Does nothing while it is unknown. */
export function useTitle(shown: string | null | undefined): void {
  const { name } = useSite()
  useEffect(() => {
    if (!shown) return
    const previous = document.title
    document.title = `${shown} — ${name}`
    return () => {
      document.title = previous
    }
  }, [shown, name])
}
