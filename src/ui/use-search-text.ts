import { useEffect, useEffectEvent, useState } from 'react'
import { searchDebounceMs } from '../../shared/limits.ts'

/**
 * Text of a field that searches while the user types: their input, until the search changes by other means, such as Back.
 *
 * @param search words that are searched for now
 * @param onSearch called with other words a moment after the last change of the text
 */
export function useSearchText(search: string, onSearch: (search: string) => void) {
  const [last, setLast] = useState(search)
  const [text, setText] = useState(search)
  if (search !== last) {
    setLast(search)
    // Keeps a trailing space while the user is typing the next word.
    if (text.trim() !== search) setText(search)
  }
  const submit = useEffectEvent(onSearch)
  useEffect(() => {
    if (text.trim() === search) return
    const timer = setTimeout(() => submit(text.trim()), searchDebounceMs)
    return () => clearTimeout(timer)
  }, [text, search])
  return [text, setText] as const
}
