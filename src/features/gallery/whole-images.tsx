import { useLingui } from '@lingui/react/macro'
import { useLayoutEffect, useState } from 'react'
import { readStored, store } from '../../browser/apis.ts'
import styles from './whole-images.module.css'

/** Name of the stored choice. */
const storageKey = 'whole-images'

/** Whether cards show whole images instead of squares, as this browser has chosen, and a function that changes it. */
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
    <button type="button" className={styles['button']} aria-pressed={isWhole} onClick={onToggle}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 3h14v14H3zM3 7h14v6H3z" />
      </svg>
      <span>{t`Whole images`}</span>
    </button>
  )
}
