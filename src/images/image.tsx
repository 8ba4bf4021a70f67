import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { thumbHashToAverageRGBA } from 'thumbhash'
import { fitSizes, fitUrl, thumbnailUrl, type ImageShape } from '../../shared/image-files.ts'
import type { Image } from '../../shared/images.ts'
import { embeddedEngineLabel } from '../../shared/page-data.ts'
import type { Post } from '../../shared/posts.ts'
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

type Origin = Pick<Post, 'source' | 'engineKind' | 'isAiMade'>

/** Short label for the origin of an image. Equal origins have the same descriptor. */
export function describeSource(image: Origin): MessageDescriptor {
  if (image.source === 'uploaded' && !image.isAiMade) return sourceLabels.uploaded
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
export function SourceLabel(image: Origin) {
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

/** The uncropped copies and the original by their width. */
export function sourceSet({ photo, width, height }: ShownImage): string {
  const longest = Math.max(width, height)
  const copies = fitSizes
    .filter((size) => size < longest)
    .map((size) => `${fitUrl(photo, size)} ${Math.round((width * size) / longest)}w`)
  return [...copies, `${photo} ${width}w`].join(', ')
}
