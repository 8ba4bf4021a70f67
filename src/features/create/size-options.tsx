import { Trans, useLingui } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { dimensions, type EngineCapabilities, type ImageSize } from '../../../shared/engines.ts'
import { Fieldset, SelectField } from '../../ui/form.tsx'
import { groupByRatio, ratioOf, sizeLabel } from './form-options.ts'
import styles from './options.module.css'
import { useCreation } from './use-creation.ts'

/** A radio button that looks like a chip. */
export function ChoiceChip(props: {
  name: string
  checked: boolean
  disabled?: boolean
  onChange: () => void
  children: ReactNode
}) {
  const { children, ...input } = props
  return (
    <label className={`choice card hoverable tabular ${styles['chip']}`}>
      <input type="radio" {...input} />
      {children}
    </label>
  )
}

/** Choice of an aspect ratio, then of a size in that ratio; other sizes if the engine takes them. */
export function SizeOptions({ capabilities }: { capabilities: EngineCapabilities }) {
  const { t } = useLingui()
  const { accepted, changeOptions } = useCreation()
  const { sizes, customSizes } = capabilities
  const groups = groupByRatio(sizes)
  const size = accepted.size ?? sizes[0] ?? '1024x1024'
  const [wantsCustom, setWantsCustom] = useState(false)
  const isCustom = accepted.size !== null && (wantsCustom || !sizes.includes(size))
  const group = groups.find((one) => one.sizes.includes(size))

  function choose(chosen: ImageSize | undefined, custom = false) {
    setWantsCustom(custom)
    if (chosen) changeOptions({ size: chosen })
  }

  return (
    <>
      <Fieldset legend={<Trans>Aspect ratio</Trans>} className={`tightest ${styles['wide']}`}>
        <div className="row">
          {groups.map(({ ratio, sizes: [first] }) => (
            <ChoiceChip
              key={ratio}
              name="ratio"
              checked={!isCustom && ratio === group?.ratio}
              onChange={() => choose(first)}
            >
              <Shape ratio={ratio} />
              {ratio}
            </ChoiceChip>
          ))}
          {customSizes && (
            <ChoiceChip name="ratio" checked={isCustom} onChange={() => choose(size, true)}>
              <Trans comment="Another size">Custom</Trans>
            </ChoiceChip>
          )}
        </div>
        {!isCustom && group?.sizes.length === 1 && <p className="quiet small tabular">{sizeLabel(size)}</p>}
      </Fieldset>
      {!isCustom && group && group.sizes.length > 1 && (
        <SelectField
          label={t`Size`}
          value={size}
          options={group.sizes.map((one) => [one, sizeLabel(one)])}
          onChange={({ target }) => choose(group.sizes.find((one) => one === target.value))}
        />
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
  const ratio = ratioOf(props.size)

  /** Rounds what was typed to a side that the engine takes. */
  function settle() {
    if (!typed) return
    const [width = min, height = min] = dimensions(props.size).map((before, index) =>
      Math.min(max, Math.max(min, Math.round((Number(typed[index]) || before) / step) * step)),
    )
    setTyped(null)
    props.onChange(`${width}x${height}`)
  }

  return (
    <Fieldset
      legend={<Trans>Size</Trans>}
      hint={
        step === 1
          ? t`${min} to ${max} pixels, in steps of 1 pixel. Now ${ratio}.`
          : t`${min} to ${max} pixels, in steps of ${step}. Now ${ratio}.`
      }
    >
      <div className={styles['sides']}>
        {[t`Width`, t`Height`].map((label, index) => (
          <input
            key={label}
            className="control tabular"
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
    </Fieldset>
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
