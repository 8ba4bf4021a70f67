import { useLingui } from '@lingui/react/macro'
import { useLayoutEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { elementIds, focusFirst } from './element-ids.ts'

/** Cancels the generation. When this button disappears, focus moves to the button of the next step. */
export function CancelGeneration(props: { isCanceling: boolean; onCancel: () => void }) {
  const { isCanceling } = props
  const { t } = useLingui()
  const container = useRef<HTMLDivElement>(null)
  const wasCanceled = useRef(false)

  useLayoutEffect(() => {
    wasCanceled.current = isCanceling
  }, [isCanceling])

  useLayoutEffect(() => {
    const element = container.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      const { generate, share } = elementIds
      const next = wasCanceled.current ? [generate] : [share, generate]
      // The next button is in the document once this commit is complete.
      queueMicrotask(() => focusFirst(...next))
    }
  }, [])

  return (
    <div ref={container}>
      {/* `aria-disabled`, as `disabled` would remove focus. */}
      <Button wide aria-disabled={isCanceling} onClick={() => !isCanceling && props.onCancel()}>
        {isCanceling ? t`Cancelling…` : t`Cancel`}
      </Button>
    </div>
  )
}
