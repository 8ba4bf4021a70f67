import { Trans, useLingui } from '@lingui/react/macro'
import { useSyncExternalStore, type ReactNode, useEffect, useRef, type FormEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { searchLimit } from '../../../shared/limits.ts'
import { viewCookie, type ListAddress, type ListOrder, type ListView } from '../../../shared/page-data.ts'
import type { Post } from '../../../shared/posts.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { listPath, galleryAddress, listParameters } from '../../api/list-address.ts'
import { usePageData } from '../../api/site.tsx'
import { store, storeCookie } from '../../browser/apis.ts'
import { Icon } from '../../ui/icons.tsx'
import type { MenuItems } from '../../ui/menu.tsx'
import { UserText } from '../../ui/text.tsx'
import { useSearchText } from '../../ui/use-search-text.ts'
import { Chips } from './chips.tsx'
import styles from './post-list.module.css'
import { ResultCount, Results } from './results.tsx'
import { type Gallery, useListAddress } from './use-gallery.ts'

/** A list of posts with its search, its number and its order. The search stays in reach when the page is scrolled. */
export function PostList(props: {
  address: ListAddress
  gallery: Gallery
  /** What shares the row of the search. */
  lead?: ReactNode
  /** More items of the menu of a post. */
  itemsOf?: (post: Post) => MenuItems
}) {
  const { address, gallery, lead } = props
  const { t } = useLingui()
  const [view, chooseView] = useListView()
  const { search: term } = address
  const isCollection = address.collectionId !== null
  const isEmptySite =
    gallery.firstPage?.total === 0 && listPath({ ...address, authorId: null }) === pagePaths.gallery
  return (
    <div className={styles['list']}>
      <div className={styles['toolbar']}>
        {lead}
        {!isCollection && <SearchForm />}
        <div className={`row ${styles['bar']}`}>
          <ResultCount total={gallery.firstPage ? gallery.total : null} isLoading={gallery.isLoading} />
          {!isEmptySite && (
            <>
              {!isCollection && <OrderLinks address={address} />}
              <ViewSwitch address={address} view={view} onChoose={chooseView} />
            </>
          )}
        </div>
      </div>
      {!isEmptySite && !isCollection && <Chips address={address} />}
      {term && (
        <h2 className={`clamp ${styles['term']}`}>
          <Trans>
            Results for <UserText text={term} />
          </Trans>
        </h2>
      )}
      {address.cursor !== null && (
        <Link href={listPath({ ...address, cursor: null })}>
          {address.order === 'new' ? t`Back to the newest posts` : t`Back to the most liked posts`}
        </Link>
      )}
      <Results gallery={gallery} view={view} itemsOf={props.itemsOf} />
    </div>
  )
}

/** Links to the orders of a list of posts, which work without JavaScript. */
function OrderLinks({ address }: { address: ListAddress }) {
  const { t } = useLingui()
  const isTop = address.order !== 'new'
  const periods = [
    ['week', t({ message: 'Week', context: 'most liked posts' })],
    ['month', t({ message: 'Month', context: 'most liked posts' })],
    ['all', t({ message: 'All time', context: 'most liked posts' })],
  ] as const

  function link(order: ListOrder, label: string, isCurrent: boolean) {
    return (
      <Link
        key={label}
        href={listPath({ ...address, order, cursor: null })}
        className="quiet small hoverable tab segment"
        aria-current={isCurrent || undefined}
      >
        {label}
      </Link>
    )
  }

  return (
    <nav aria-label={t({ message: 'Order', context: 'of posts' })} className="row">
      <div className="card segments">
        {link('new', t({ message: 'Newest', context: 'posts' }), !isTop)}
        {link('all', t({ message: 'Most liked', context: 'posts' }), isTop)}
      </div>
      {isTop && (
        <div className="card segments">
          {periods.map(([order, label]) => link(order, label, order === address.order))}
        </div>
      )}
    </nav>
  )
}

/** The view chosen while the page is open: other tabs may hear of a choice before they see its cookie. */
let chosenView: ListView | null = null

function readView(): ListView {
  return chosenView ?? (/(?:^|; )view=shapes/.test(document.cookie) ? 'shapes' : 'squares')
}

function subscribe(listener: () => void): () => void {
  function onStorage({ key, newValue }: StorageEvent) {
    if (key !== viewCookie) return
    chosenView = newValue === 'shapes' ? 'shapes' : 'squares'
    listener()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

/** The view of lists in this browser, and a function that changes it in all tabs. The server renders pages in it. */
function useListView(): readonly [view: ListView, choose: (view: ListView) => void] {
  const { view: rendered } = usePageData()
  const view = useSyncExternalStore(subscribe, readView, () => rendered)
  return [
    view,
    (chosen) => {
      storeCookie(viewCookie, chosen)
      // Tells the other tabs, and this one.
      store('localStorage', viewCookie, chosen)
      dispatchEvent(new StorageEvent('storage', { key: viewCookie, newValue: chosen }))
    },
  ]
}

/** Switches between squares and whole images; without JavaScript, by links. */
function ViewSwitch(props: { address: ListAddress; view: ListView; onChoose: (view: ListView) => void }) {
  const { t } = useLingui()
  const path = listPath({ ...props.address, cursor: null })
  const views = [
    [
      'squares',
      t({ message: 'Squares', context: 'view of images' }),
      'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z',
    ],
    [
      'shapes',
      t({ message: 'True shapes', context: 'view of images' }),
      'M3 3h8.5v6H3zM14 3h3v6h-3zM3 11.5h4v5.5H3zM9.5 11.5H17v5.5H9.5z',
    ],
  ] as const
  return (
    <nav aria-label={t({ message: 'View', context: 'of images' })} className="card segments">
      {views.map(([view, label, icon]) => (
        <a
          key={view}
          href={`${path}${path.includes('?') ? '&' : '?'}${viewCookie}=${view}`}
          className={`quiet small hoverable tab segment ${styles['view']}`}
          aria-current={view === props.view || undefined}
          title={label}
          onClick={(event) => {
            event.preventDefault()
            props.onChoose(view)
          }}
        >
          <Icon path={icon} />
          <span>{label}</span>
        </a>
      ))}
    </nav>
  )
}

const searchFieldId = 'search'

/** Searches while the user types; without JavaScript, a plain form. */
function SearchForm() {
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
      <label htmlFor={searchFieldId} className={`strong ${styles['searchLabel']}`}>{t`Search Posts`}</label>
      <div className={styles['searchBox']}>
        <Icon className={`quiet ${styles['searchIcon']}`}>
          <circle cx="8.5" cy="8.5" r="5.5" />
          <path d="m13 13 4.5 4.5" />
        </Icon>
        <input
          ref={input}
          id={searchFieldId}
          name="q"
          type="search"
          className={`control ${styles['searchInput']}`}
          dir="auto"
          placeholder={t`Search by author or prompt…`}
          maxLength={searchLimit.codeUnits}
          autoComplete="off"
          enterKeyHint="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {text && (
          <button type="button" className={`textButton hoverable ${styles['clearSearch']}`} onClick={clear}>
            {t({ message: 'Clear', context: 'search' })}
          </button>
        )}
      </div>
    </form>
  )
}
