import { Trans, useLingui } from '@lingui/react/macro'
import { useLayoutEffect, useState } from 'react'
import { Link } from 'wouter'
import type { ListAddress, ListOrder } from '../../../shared/page-data.ts'
import { listPath } from '../../api/list-address.ts'
import { readStored, store } from '../../browser/apis.ts'
import { Icon } from '../../ui/icons.tsx'
import { UserText } from '../../ui/text.tsx'
import styles from './post-list.module.css'
import { ResultCount, Results } from './results.tsx'
import { SearchForm } from './search-form.tsx'
import type { Gallery } from './use-gallery.ts'

/** A list of posts with its search, its number and its order. The search stays in reach when the page is scrolled. */
export function PostList({ address, gallery }: { address: ListAddress; gallery: Gallery }) {
  const { t } = useLingui()
  const [isWhole, toggleWhole] = useWholeImages()
  const { search: term } = address
  const isEmptySite = gallery.firstPage?.total === 0 && address.order === 'new' && !term
  return (
    <div className={styles['list']}>
      <div className={styles['toolbar']}>
        <SearchForm />
        <div className={`row ${styles['bar']}`}>
          <ResultCount total={gallery.firstPage ? gallery.total : null} isLoading={gallery.isLoading} />
          {!isEmptySite && (
            <>
              <OrderLinks address={address} />
              <WholeImagesButton isWhole={isWhole} onToggle={toggleWhole} />
            </>
          )}
        </div>
      </div>
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
      <Results gallery={gallery} showsWhole={isWhole} />
    </div>
  )
}

/** Links to the orders of a list of posts, which work without JavaScript. */
export function OrderLinks({ address }: { address: ListAddress }) {
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
        className={`quiet small hoverable ${styles['order']}`}
        aria-current={isCurrent || undefined}
      >
        {label}
      </Link>
    )
  }

  return (
    <nav aria-label={t({ message: 'Order', context: 'of posts' })} className="row">
      <div className={`card ${styles['orderGroup']}`}>
        {link('new', t({ message: 'Newest', context: 'posts' }), !isTop)}
        {link('all', t({ message: 'Most liked', context: 'posts' }), isTop)}
      </div>
      {isTop && (
        <div className={`card ${styles['orderGroup']}`}>
          {periods.map(([order, label]) => link(order, label, order === address.order))}
        </div>
      )}
    </nav>
  )
}

/** Name of the stored choice. */
const storageKey = 'whole-images'

/** The choice of this browser to show whole images on cards instead of squares, and a function that changes it. */
export function useWholeImages(): readonly [isWhole: boolean, toggle: () => void] {
  const [isWhole, setIsWhole] = useState(false)

  // Before the paint: the server does not know the choice.
  useLayoutEffect(() => {
    const read = () => setIsWhole(readStored('localStorage', storageKey) !== null)
    read()
    addEventListener('storage', read)
    return () => removeEventListener('storage', read)
  }, [])

  function toggle() {
    store('localStorage', storageKey, isWhole ? null : 'true')
    setIsWhole(!isWhole)
  }

  return [isWhole, toggle]
}

/** A button that switches between squares and whole images. */
export function WholeImagesButton({ isWhole, onToggle }: { isWhole: boolean; onToggle: () => void }) {
  const { t } = useLingui()
  return (
    <button
      type="button"
      className={`card quiet small hoverable ${styles['wholeImages']}`}
      aria-pressed={isWhole}
      onClick={onToggle}
    >
      <Icon>
        <path d="M3 3h14v14H3zM3 7h14v6H3z" />
      </Icon>
      <span>{t`Whole images`}</span>
    </button>
  )
}
