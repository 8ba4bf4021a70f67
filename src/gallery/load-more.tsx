import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './load-more.module.css'

/**
 * Loads the next page when it comes near the screen; it is a button for those whom scrolling does not serve.
 */
export function LoadMore(props: { isLoading: boolean; failure: string | null; onLoad: () => void }) {
  const { isLoading, failure } = props
  const place = useRef<HTMLDivElement>(null)
  const onLoad = useRef(props.onLoad)
  useEffect(() => {
    onLoad.current = props.onLoad
  })

  useEffect(() => {
    // Observed anew after each page, as the end may be near still; not after a failure, when it is the person's turn.
    if (!place.current || isLoading || failure) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onLoad.current(), {
      rootMargin: '100% 0px',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [failure, isLoading])

  return (
    <div ref={place} className={styles['place']}>
      <Notice>{failure}</Notice>
      <Button aria-disabled={isLoading} onClick={() => !isLoading && props.onLoad()}>
        {isLoading && <Spinner label="Loading more posts" />}
        Load more
      </Button>
    </div>
  )
}
