import { useLayoutEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { elementIds, focusFirst } from './element-ids.ts'

/** Gives up the image in the making. Whose focus goes with this button goes on where the work does. */
export function CancelGeneration(props: { isCanceling: boolean; onCancel: () => void }) {
  const { isCanceling } = props
  const place = useRef<HTMLDivElement>(null)
  const wasCanceled = useRef(false)

  useLayoutEffect(() => {
    wasCanceled.current = isCanceling
  }, [isCanceling])

  useLayoutEffect(() => {
    const button = place.current
    return () => {
      if (!button?.contains(document.activeElement)) return
      const { generate, share } = elementIds
      const next = wasCanceled.current ? [generate] : [share, generate]
      // What comes instead is in the page once all of this change is.
      queueMicrotask(() => focusFirst(...next))
    }
  }, [])

  return (
    <div ref={place}>
      {/* Not disabled while it waits, which would take its focus away. */}
      <Button wide aria-disabled={isCanceling} onClick={() => !isCanceling && props.onCancel()}>
        {isCanceling ? 'Cancelling…' : 'Cancel'}
      </Button>
    </div>
  )
}
