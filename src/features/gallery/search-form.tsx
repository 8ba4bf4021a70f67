import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import { searchLimit } from '../../../shared/limits.ts'
import { galleryAddress, listPath, listParameters } from '../../api/list-address.ts'
import { Icon } from '../../ui/icons.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import styles from './search-form.module.css'
import { useListAddress } from './use-gallery.ts'

/** Element id of the search field. */
const searchFieldId = 'search'

/** Searches while the user types; without JavaScript, a plain form. */
export function SearchForm() {
  const { t } = useLingui()
  const address = useListAddress()
  const [, navigate] = useLocation()
  const [text, setText] = useSearchText(address.search, search)
  const input = useRef<HTMLInputElement>(null)
  const firstText = useRef(text)

  useEffect(() => {
    // Text typed before hydration is in the field, but fired no event. Unchanged text is not set: React would keep the
    // update and apply it again over the next change of the URL.
    const typed = input.current?.value
    if (typed !== undefined && typed !== firstText.current) setText(typed)
  }, [setText])

  /** Searches the list of the current URL. An empty term shows the whole list. */
  function search(term: string) {
    const next = term.trim()
    if (next === address.search) return
    // Refining a search replaces its history entry, so that Back leaves the search.
    const replace = address.search !== '' && next !== ''
    navigate(listPath({ ...address, search: next, cursor: null }), { replace })
  }

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
    <form
      role="search"
      action={listPath({ ...galleryAddress, authorId: address.authorId })}
      method="get"
      className="beside"
      onSubmit={submit}
    >
      {Object.entries(listParameters(address)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label htmlFor={searchFieldId} className={`strong ${styles['label']}`}>
        {t`Search Posts`}
      </label>
      <div className={styles['box']}>
        <Icon className={`quiet ${styles['icon']}`}>
          <circle cx="8.5" cy="8.5" r="5.5" />
          <path d="m13 13 4.5 4.5" />
        </Icon>
        <input
          ref={input}
          id={searchFieldId}
          name="q"
          type="search"
          className={`control ${styles['input']}`}
          dir="auto"
          placeholder={t`Search by author or prompt…`}
          maxLength={searchLimit.characters}
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {text && (
          <button type="button" className={`textButton hoverable ${styles['clear']}`} onClick={clear}>
            {t({ message: 'Clear', context: 'search' })}
          </button>
        )}
      </div>
    </form>
  )
}
