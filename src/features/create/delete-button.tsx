import { DeleteIcon } from '../../ui/icons.tsx'
import styles from './image-card.module.css'

/** Button that deletes an image. */
export function DeleteButton(props: { describedBy: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className={styles['action']}
      aria-label="Delete image"
      aria-describedby={props.describedBy}
      onClick={props.onClick}
    >
      <DeleteIcon />
    </button>
  )
}
