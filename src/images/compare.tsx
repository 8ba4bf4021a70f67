import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import styles from './compare.module.css'
import { sourceSet, type ShownImage } from './image.tsx'

export interface Comparison {
  /** Of the image in this comparison, such as `Before`. */
  readonly label: string
  readonly image: ShownImage
}

/** Focuses the slider when it is there, so that keys move it. */
const focus = (slider: HTMLElement | null) => slider?.focus({ preventScroll: true })

/** Two images in one frame. A line between them is dragged, or moved by keys: on its start side is the other one. */
export function Compare(props: {
  image: ShownImage
  other: Comparison
  sizes: string
  /** Of the frame; by default as large as fits. */
  width: number | undefined
}) {
  const { i18n, t } = useLingui()
  const { image, other, width } = props
  const [percent, setPercent] = useState(50)
  const ratio = image.width / image.height
  const style: object = { '--ratio': ratio, '--at': `${percent}%`, ...(width && { width }) }
  const part = i18n.number(percent / 100, { style: 'percent' })
  const picture = (shown: ShownImage, className: string) => (
    <img className={className} src={shown.photo} srcSet={sourceSet(shown)} sizes={props.sizes} alt="" />
  )
  return (
    // What is around it counts from the left.
    <div dir={document.documentElement.dir} className={`layers ${styles['compare']}`} style={style}>
      {picture(image, 'contain')}
      {picture(other.image, `contain ${styles['other']}`)}
      <span className={`veil small ${styles['label']}`}>{other.label}</span>
      <input
        type="range"
        className={styles['slider']}
        aria-label={t`Compare with: ${other.label}`}
        aria-valuetext={t`${part} of ${other.label}`}
        ref={focus}
        value={percent}
        onChange={(event) => setPercent(event.target.valueAsNumber)}
      />
      <span className={styles['line']} />
    </div>
  )
}
