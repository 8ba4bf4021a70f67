import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { Lora } from '../../../shared/engines.ts'
import { lorasMax } from '../../../shared/limits.ts'
import { Field, SelectField } from '../../ui/form.tsx'
import { formatStrength } from './form-options.ts'
import styles from './options.module.css'
import { ClearButton } from './reference-options.tsx'

/** A select that adds LoRAs of an engine, and the weight of each one that was chosen. */
export function LoraOptions(props: {
  names: readonly string[]
  loras: readonly Lora[]
  onChange: (loras: readonly Lora[]) => void
}) {
  const { i18n, t } = useLingui()
  const { names, loras, onChange } = props
  const id = useId()
  const left = names.filter((name) => !loras.some((lora) => lora.name === name))
  return (
    <>
      <SelectField
        id={id}
        label={t`LoRAs`}
        hint={t`Small models that add a style or a subject.`}
        value=""
        disabled={loras.length >= lorasMax || left.length === 0}
        options={[['', t`Add a LoRA`], ...left.map((name) => [name, name] as const)]}
        onChange={({ target: { value: name } }) => name && onChange([...loras, { name, weight: 1 }])}
      />
      {loras.map(({ name, weight }) => {
        const others = loras.filter((lora) => lora.name !== name)
        const weightText = formatStrength(i18n, weight)
        return (
          <Field
            key={name}
            label={t`Weight of ${name}`}
            action={
              <ClearButton fieldId={id} onClear={() => onChange(others)}>
                <Trans>Remove</Trans>
              </ClearButton>
            }
          >
            {(control) => (
              <div className={styles['range']}>
                <input
                  {...control}
                  className={undefined}
                  type="range"
                  min={-1}
                  max={2}
                  step={0.05}
                  value={weight}
                  aria-valuetext={weightText}
                  onChange={({ target: { valueAsNumber } }) =>
                    onChange(
                      loras.map((lora) => (lora.name === name ? { name, weight: valueAsNumber } : lora)),
                    )
                  }
                />
                <output className="tabular" htmlFor={control.id}>
                  {weightText}
                </output>
              </div>
            )}
          </Field>
        )
      })}
    </>
  )
}
