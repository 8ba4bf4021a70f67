import { useLingui } from '@lingui/react/macro'
import { useState, type CSSProperties, type MouseEvent } from 'react'
import { hasModifier } from '../browser/apis.ts'
import { shorten } from '../ui/text.tsx'
import { averageColor, sourceSet, type ShownImage } from './image.tsx'
import styles from './image.module.css'

// Not in image.tsx, which is part of the entry.

/**
 * A whole image, which links to its original. A sensitive one is blurred until it is clicked.
 *
 * @param props.onOpen called by a click that opens nothing else, in place of the original
 */
export function WholeImage(props: {
  image: ShownImage
  /** Describes the image; '' where the page does. */
  text: string
  className: string | undefined
  sizes: string
  style?: CSSProperties | undefined
  onOpen: (event: MouseEvent) => void
}) {
  const { t } = useLingui()
  const { image } = props
  const [isRevealed, setIsRevealed] = useState(false)
  const isBlurred = image.isSensitive === true && !isRevealed

  function onClick(event: MouseEvent) {
    if (hasModifier(event) || event.shiftKey) return
    event.preventDefault()
    if (isBlurred) setIsRevealed(true)
    else props.onOpen(event)
  }

  return (
    <a
      href={image.photo}
      className={`insetFocus ${styles['whole']} ${props.className ?? ''}`}
      style={
        {
          ...props.style,
          '--ratio': image.width / image.height,
          '--average': averageColor(image.placeholder),
        } as CSSProperties
      }
      aria-label={isBlurred ? t`Show sensitive image` : t`Original image`}
      draggable={false}
      onClick={onClick}
    >
      <img
        src={image.photo}
        srcSet={sourceSet(image)}
        sizes={props.sizes}
        width={image.width}
        height={image.height}
        alt={shorten(props.text)}
        fetchPriority="high"
        draggable={false}
        data-blurred={isBlurred || undefined}
      />
      {isBlurred && <span className={`veil ${styles['reveal']}`}>{t`Show sensitive image`}</span>}
    </a>
  )
}
