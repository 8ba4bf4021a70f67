import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { dimensions, type Engine, type EngineCapabilities, type ImageSize } from '../../../shared/engines.ts'
import { Field, Select } from '../../ui/form.tsx'
import { groupByRatio, ratioOf, sizeLabel } from './form-options.ts'
import styles from './options.module.css'

/** Class names of a radio button that looks like a chip. */
export const chipClass = `choice card hoverable tabular ${styles['chip']}`

/** Choice of an aspect ratio, then of a size in that ratio; other sizes if the engine takes them. */
export function SizeOptions(props: {
  engine: Engine
  /** Null: the default of the engine. */
  size: ImageSize | null
  onChange: (size: ImageSize) => void
}) {
  const { t } = useLingui()
  const { sizes, customSizes } = props.engine.capabilities
  const groups = groupByRatio(sizes)
  const size = props.size ?? sizes[0] ?? '1024x1024'
  const [wantsCustom, setWantsCustom] = useState(false)
  const isCustom = props.size !== null && (wantsCustom || !sizes.includes(size))
  const group = groups.find((one) => one.sizes.includes(size))

  function choose(chosen: ImageSize, custom = false) {
    setWantsCustom(custom)
    props.onChange(chosen)
  }

  return (
    <>
      <fieldset className={`${styles['group']} ${styles['wide']}`}>
        <legend className={`strong ${styles['legend']}`}>
          <Trans>Aspect ratio</Trans>
        </legend>
        <div className="row">
          {groups.map(({ ratio, sizes: [first] }) => (
            <label key={ratio} className={chipClass}>
              <input
                type="radio"
                name="ratio"
                checked={!isCustom && ratio === group?.ratio}
                onChange={() => first && choose(first)}
              />
              <Shape ratio={ratio} />
              {ratio}
            </label>
          ))}
          {customSizes && (
            <label className={chipClass}>
              <input type="radio" name="ratio" checked={isCustom} onChange={() => choose(size, true)} />
              <Trans comment="Another size">Custom</Trans>
            </label>
          )}
        </div>
        {!isCustom && group?.sizes.length === 1 && <p className="quiet small tabular">{sizeLabel(size)}</p>}
      </fieldset>
      {!isCustom && group && group.sizes.length > 1 && (
        <Field label={t`Size`}>
          {(control) => (
            <Select
              {...control}
              value={size}
              onChange={(event) => {
                const chosen = group.sizes.find((one) => one === event.target.value)
                if (chosen) choose(chosen)
              }}
            >
              {group.sizes.map((one) => (
                <option key={one} value={one}>
                  {sizeLabel(one)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {isCustom && customSizes && (
        <CustomSize range={customSizes} size={size} onChange={(chosen) => choose(chosen, true)} />
      )}
    </>
  )
}

function CustomSize(props: {
  range: NonNullable<EngineCapabilities['customSizes']>
  size: ImageSize
  onChange: (size: ImageSize) => void
}) {
  const { t } = useLingui()
  const { min, max, step } = props.range
  /** Sides in the middle of a change; null otherwise. */
  const [typed, setTyped] = useState<readonly string[] | null>(null)
  const sides = typed ?? dimensions(props.size).map(String)
  const hintId = useId()
  const ratio = ratioOf(props.size)

  /** Rounds what was typed to a side that the engine takes. */
  function settle() {
    if (!typed) return
    const rounded = typed.map((text, index) => {
      const side = Number(text) || (dimensions(props.size)[index] ?? min)
      return Math.min(max, Math.max(min, Math.round(side / step) * step))
    })
    setTyped(null)
    props.onChange(`${rounded[0] ?? min}x${rounded[1] ?? min}`)
  }

  return (
    <fieldset className={styles['group']} aria-describedby={hintId}>
      <legend className={`strong ${styles['legend']}`}>
        <Trans>Size</Trans>
      </legend>
      <div className={styles['sides']}>
        {[t`Width`, t`Height`].map((label, index) => (
          <input
            key={label}
            className={`tabular ${styles['side']}`}
            type="number"
            inputMode="numeric"
            aria-label={label}
            {...{ min, max, step }}
            value={sides[index] ?? ''}
            onChange={(event) => setTyped(sides.with(index, event.target.value))}
            onBlur={settle}
            onKeyDown={(event) => event.key === 'Enter' && settle()}
          />
        ))}
        <span aria-hidden="true" className={styles['times']}>
          ×
        </span>
      </div>
      <p id={hintId} className="quiet small tabular">
        {step === 1
          ? t`${min} to ${max} pixels, in steps of 1 pixel. Now ${ratio}.`
          : t`${min} to ${max} pixels, in steps of ${step}. Now ${ratio}.`}
      </p>
    </fieldset>
  )
}

/** Small rectangle of an aspect ratio. */
function Shape({ ratio }: { ratio: string }) {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  const scale = 16 / Math.max(width, height)
  return (
    <span
      aria-hidden="true"
      className={styles['shape']}
      style={{ width: `${width * scale}px`, height: `${height * scale}px` }}
    />
  )
}
