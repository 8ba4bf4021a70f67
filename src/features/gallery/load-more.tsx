import { useHydrated } from '../../browser/hydrated.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './load-more.module.css'

/** The way to more posts for those whom scrolling does not serve: a link to a page of its own until scripts come. */
export function LoadMore(props: {
  /** The address of the next page; null until it is known. */
  next: string | null
  isLoading: boolean
  failure: string | null
  onLoad: () => void
}) {
  const { next, isLoading, failure } = props
  const isHydrated = useHydrated()
  return (
    <div className={styles['place']}>
      <Notice>{failure}</Notice>
      {isHydrated || next === null ? (
        <Button aria-disabled={isLoading} onClick={() => !isLoading && props.onLoad()}>
          {isLoading && <Spinner label="Loading more posts" />}
          Load more
        </Button>
      ) : (
        <a href={next} rel="next" className={buttonClass('plain')}>
          Next page
        </a>
      )}
    </div>
  )
}
