import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { Lora } from '../../../shared/engines.ts'
import { lorasMax } from '../../../shared/limits.ts'
import { Button } from '../../ui/button.tsx'
import { RangeField, SelectField } from '../../ui/form.tsx'
import { formatStrength } from './form-options.ts'
import styles from './options.module.css'
import { ClearButton } from './reference-options.tsx'

/** A select that adds LoRAs of an engine, and the weight of each one that was chosen. */
export function LoraOptions(props: {
  names: readonly string[]
  loras: readonly Lora[]
  /** Also those of other engines are kept. */
  onChange: (change: (loras: readonly Lora[]) => readonly Lora[]) => void
}) {
  const { i18n, t } = useLingui()
  const { names, loras, onChange } = props
  const id = useId()
  const hintId = useId()
  const [wanted, setWanted] = useState('')
  const left =
    loras.length < lorasMax ? names.filter((name) => !loras.some((lora) => lora.name === name)) : []
  const chosen = left.includes(wanted) ? wanted : ''
  return (
    <>
      <div className="stack tightest">
        <div className={styles['adding']}>
          {/* Never disabled, as it has the focus once a LoRA is removed. */}
          <SelectField
            id={id}
            label={t`LoRAs`}
            aria-describedby={hintId}
            value={chosen}
            options={[['', t`Add a LoRA`], ...left.map((one) => [one, one] as const)]}
            onChange={({ target }) => setWanted(target.value)}
          />
          <Button
            aria-disabled={chosen === ''}
            onClick={() => onChange((all) => [...all, { name: chosen, weight: 1 }])}
          >
            <Trans>Add</Trans>
          </Button>
        </div>
        <p id={hintId} className="quiet small">
          <Trans>Small models that add a style or a subject.</Trans>
        </p>
      </div>
      {loras.map(({ name, weight }) => (
        <RangeField
          key={name}
          label={t`Weight of ${name}`}
          action={
            <ClearButton
              fieldId={id}
              onClear={() => onChange((all) => all.filter((lora) => lora.name !== name))}
            >
              <Trans>Remove</Trans>
            </ClearButton>
          }
          min={-1}
          max={2}
          step={0.05}
          value={weight}
          valueText={formatStrength(i18n, weight)}
          onChange={({ target: { valueAsNumber } }) =>
            onChange((all) =>
              all.map((lora) => (lora.name === name ? { name, weight: valueAsNumber } : lora)),
            )
          }
        />
      ))}
    </>
  )
}
