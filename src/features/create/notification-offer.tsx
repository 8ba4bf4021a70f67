import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useToast } from '../../ui/announcer.tsx'
import styles from './create-form.module.css'
import { elementIds, focusFirst } from './element-ids.ts'
import { askForNotifications, canOfferNotifications } from './notifications.ts'

/** Button that lets the browser ask whether it may show notifications. Not shown again after an answer. */
export function NotificationOffer() {
  const { t } = useLingui()
  const toast = useToast()
  const [isOffered, setIsOffered] = useState(canOfferNotifications)

  async function accept() {
    const isAllowed = await askForNotifications()
    // The focused button disappears.
    focusFirst(elementIds.share, elementIds.generate)
    setIsOffered(false)
    toast(
      isAllowed
        ? t`You will be notified when an image is ready while you are elsewhere.`
        : t`You will not be notified. The settings of the browser can allow it.`,
    )
  }

  return (
    isOffered && (
      <button type="button" className={styles['notify']} onClick={() => void accept()}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M5.5 8.5a4.5 4.5 0 0 1 9 0c0 4 1.75 5 1.75 5H3.75s1.75-1 1.75-5M8.25 16.25a2 2 0 0 0 3.5 0" />
        </svg>
        <Trans>Notify me when an image is ready</Trans>
      </button>
    )
  )
}
