import { useEffect, useRef, useState } from 'react'
import { pagePaths } from '../../../shared/routes.ts'
import type { FormEvent } from 'react'
import { searchDebounce, searchLimit } from '../../../shared/limits.ts'
import styles from './search-form.module.css'
import { useSearchTerm } from './gallery-address.ts'

/** Searches as one types; without scripts it is a plain form. */
export function SearchForm() {
  const [term, search] = useSearchTerm()
  const [text, setText] = useSearchText(term)
  const input = useRef<HTMLInputElement>(null)
  const firstText = useRef(text)

  useEffect(() => {
    // Typed before the scripts came: it is in the field, but no event told us. Not set where nothing was: React
    // would keep the update, and do it again over the next change of the address.
    const typed = input.current?.value
    if (typed !== undefined && typed !== firstText.current) setText(typed)
  }, [setText])

  useEffect(() => {
    const timer = setTimeout(() => search(text), searchDebounce)
    return () => clearTimeout(timer)
  }, [text, search])

  function submit(event: FormEvent) {
    event.preventDefault()
    search(text)
  }

  function clear() {
    setText('')
    search('')
    input.current?.focus()
  }

  return (
    <form role="search" action={pagePaths.gallery} method="get" className={styles['form']} onSubmit={submit}>
      <label htmlFor="search" className={styles['label']}>
        Search Posts
      </label>
      <div className={styles['box']}>
        <svg viewBox="0 0 20 20" aria-hidden="true" className={styles['icon']}>
          <circle cx="8.5" cy="8.5" r="5.5" />
          <path d="m13 13 4.5 4.5" />
        </svg>
        <input
          ref={input}
          id="search"
          name="q"
          type="search"
          className={styles['input']}
          placeholder="Search by author or prompt…"
          maxLength={searchLimit.characters}
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {text && (
          <button type="button" className={styles['clear']} onClick={clear}>
            Clear
          </button>
        )}
      </div>
    </form>
  )
}

/** What stands in the field: what is typed, until the address changes by other means, such as Back. */
function useSearchText(term: string) {
  const [seenTerm, setSeenTerm] = useState(term)
  const [text, setText] = useState(term)
  if (term !== seenTerm) {
    setSeenTerm(term)
    // A term that was just typed may still have a space at its end that the next word needs.
    if (text.trim() !== term) setText(term)
  }
  return [text, setText] as const
}
