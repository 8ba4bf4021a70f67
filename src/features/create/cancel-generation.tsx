import { useLayoutEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { elementIds, focusFirst } from './element-ids.ts'

/** Gives up the image in the making. Whose focus goes with this button goes on where the work does. */
export function CancelGeneration(props: { isCancelling: boolean; onCancel: () => void }) {
  const { isCancelling } = props
  const place = useRef<HTMLDivElement>(null)
  const wasCancelled = useRef(false)

  useLayoutEffect(() => {
    wasCancelled.current = isCancelling
  }, [isCancelling])

  useLayoutEffect(() => {
    const button = place.current
    return () => {
      if (!button?.contains(document.activeElement)) return
      const { generate, share } = elementIds
      const next = wasCancelled.current ? [generate] : [share, generate]
      // What comes instead is in the page once all of this change is.
      queueMicrotask(() => focusFirst(...next))
    }
  }, [])

  return (
    <div ref={place}>
      {/* Not disabled while it waits, which would take its focus away. */}
      <Button wide aria-disabled={isCancelling} onClick={() => !isCancelling && props.onCancel()}>
        {isCancelling ? 'Cancelling…' : 'Cancel'}
      </Button>
    </div>
  )
}
