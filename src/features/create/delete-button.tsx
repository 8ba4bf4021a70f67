import { useLingui } from '@lingui/react/macro'
import styles from './image-card.module.css'

/** Button that deletes an image. */
export function DeleteButton(props: { label?: string; describedBy: string; onClick: () => void }) {
  const { t } = useLingui()
  return (
    <button
      type="button"
      className={styles['action']}
      aria-label={props.label ?? t`Delete image`}
      aria-describedby={props.describedBy}
      onClick={props.onClick}
    >
      <DeleteIcon />
    </button>
  )
}

function DeleteIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3.5 5.5h13M8 5.5v-2h4v2M5.5 5.5l.75 11h7.5l.75-11M8.5 8.5l.25 5M11.5 8.5l-.25 5" />
    </svg>
  )
}
