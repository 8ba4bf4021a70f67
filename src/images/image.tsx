import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState, type CSSProperties, type MouseEvent } from 'react'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { embeddedEngineLabel } from '../../shared/engines.ts'
import { fitSizes, fitUrl, thumbnailUrl, type ImageShape } from '../../shared/image-files.ts'
import type { Image } from '../../shared/images.ts'
import type { Post } from '../../shared/posts.ts'
import { hasModifier } from '../browser/apis.ts'
import { shorten } from '../ui/text.tsx'
import styles from './image.module.css'

/** Average color of an image by its base64 ThumbHash, shown until the image has loaded. */
export function averageColor(placeholder: string): string {
  // The average is in the first six bytes of the hash, which are eight characters of base64.
  const bytes = Uint8Array.from(atob(placeholder.slice(0, 8)), (character) => character.charCodeAt(0))
  const { r, g, b } = thumbHashToAverageRGBA(bytes)
  return `rgb(${[r, g, b].map((channel) => Math.round(channel * 255)).join(' ')})`
}

const sourceLabels = {
  uploaded: msg({ message: 'Uploaded', comment: 'Label of an image' }),
  pattern: msg({ message: 'Pattern', comment: 'Label of an image' }),
  model: msg({ message: 'AI-made', comment: 'Label of an image' }),
} as const

/** Labels of the shapes that a list is narrowed to. */
export const shapeLabels: Readonly<Record<ImageShape, MessageDescriptor>> = {
  square: msg({ message: 'Square', comment: 'Images of this shape' }),
  landscape: msg({ message: 'Landscape', comment: 'Images of this shape' }),
  portrait: msg({ message: 'Portrait', comment: 'Images of this shape' }),
}

/** Short label for the origin of an image. Equal origins have the same descriptor. */
export function describeSource(image: Pick<Post, 'source' | 'engineKind'>): MessageDescriptor {
  if (image.source === 'uploaded') return sourceLabels.uploaded
  return image.engineKind === 'rangoli' ? sourceLabels.pattern : sourceLabels.model
}

/** Returns the label of an engine, which is translated unless an operator has chosen it. */
export function engineLabel(label: string, i18n: I18n): string {
  return label === embeddedEngineLabel
    ? i18n._(msg({ message: 'Patterns', comment: 'An image engine' }))
    : label
}

/** Describes a user's image by its prompt. An upload that was never shared has none. */
export function describeImage({ prompt }: Pick<Image, 'prompt'>, i18n: I18n): string {
  return prompt || i18n._(sourceLabels.uploaded)
}

/** The origin of an image, in a corner over it. */
export function SourceLabel(image: Pick<Post, 'source' | 'engineKind'>) {
  const { i18n } = useLingui()
  return <span className={`veil ${styles['label']}`}>{i18n._(describeSource(image))}</span>
}

/** The smallest thumbnail. Decorative: the prompt next to it describes the image. */
export function SmallImage(props: {
  image: { readonly photo: string; readonly placeholder: string }
  className: string | undefined
}) {
  const { photo, placeholder } = props.image
  return (
    <img
      className={props.className}
      src={thumbnailUrl(photo, 320)}
      width={320}
      height={320}
      alt=""
      loading="lazy"
      decoding="async"
      style={{ backgroundColor: averageColor(placeholder) }}
    />
  )
}

/** What the whole of an image is shown from: a post, or an image of a user. */
export interface ShownImage extends Pick<
  Post,
  'id' | 'prompt' | 'photo' | 'width' | 'height' | 'placeholder'
> {
  /** True if it is blurred until it is clicked. */
  readonly isSensitive?: boolean
}

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

/** The uncropped copies and the original by their width. */
export function sourceSet({ photo, width, height }: ShownImage): string {
  const longest = Math.max(width, height)
  const copies = fitSizes
    .filter((size) => size < longest)
    .map((size) => `${fitUrl(photo, size)} ${Math.round((width * size) / longest)}w`)
  return [...copies, `${photo} ${width}w`].join(', ')
}
