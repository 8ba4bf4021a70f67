import { useLingui, Trans } from '@lingui/react/macro'
import { useId, useState, type SyntheticEvent } from 'react'
import type { ModelParameter, Lora } from '../../../shared/engines.ts'
import { parameterMax, lorasMax } from '../../../shared/limits.ts'
import { trpc } from '../../api/trpc.ts'
import { parameterLabel } from '../../images/recipe.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField, RangeField } from '../../ui/form.tsx'
import { formatStrength } from './form-options.ts'
import styles from './options.module.css'
import { ImageChoice, ClearButton } from './reference-options.tsx'
import { useCreation } from './use-creation.ts'
import { isShareable } from './use-own-images.ts'

/** A field for each parameter of a model, with the names and values of its provider. */
export function ParameterOptions(props: { parameters: readonly ModelParameter[] }) {
  const { t } = useLingui()
  const { draft, changeOptions } = useCreation()
  const values = draft.options.parameters
  const unset = t({ message: 'Default', comment: 'Value of an option that the model chooses' })
  const switches = [
    ['true', t({ message: 'On', comment: 'Value of an option of a model' })],
    ['false', t({ message: 'Off', comment: 'Value of an option of a model' })],
  ] as const
  return props.parameters.map(({ name, type, values: choices = [], min = 0, max = Infinity, isWhole }) => {
    const change = (text: string) => {
      const value = type === 'boolean' ? text === 'true' : type === 'range' ? Number(text) : text
      changeOptions(({ parameters }) => {
        const { [name]: _, ...others } = parameters
        return { parameters: text === '' ? others : { ...others, [name]: value } }
      })
    }
    /** Moves a number that was typed to the nearest one that the model takes. */
    const settle = ({ currentTarget: { value, valueAsNumber } }: SyntheticEvent<HTMLInputElement>) => {
      const nearest = Math.max(min, Math.min(valueAsNumber, max))
      if (value !== '') change(String(isWhole ? Math.round(nearest) : nearest))
    }
    const words = parameterLabel(name)
    const label = words.charAt(0).toUpperCase() + words.slice(1)
    const field = { label, value: String(values[name] ?? '') }
    if (type === 'image') return <ImageParameter key={name} {...field} onChange={change} />
    if (type === 'enum' || type === 'boolean') {
      const options = type === 'boolean' ? switches : choices.map((choice) => [choice, choice] as const)
      return (
        <SelectField
          key={name}
          {...field}
          options={[['', unset], ...options]}
          onChange={(event) => change(event.target.value)}
        />
      )
    }
    const ofNumber = {
      type: 'number',
      min,
      max,
      step: isWhole ? 1 : 'any',
      hint: `${min}–${max}`,
      onBlur: settle,
      // A number, with which React keeps `0.0` on the way to `0.05`.
      value: values[name] === undefined ? '' : Number(values[name]),
    }
    return (
      <TextField
        key={name}
        {...field}
        {...(type === 'range' ? ofNumber : { maxLength: parameterMax })}
        placeholder={unset}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => type === 'range' && event.key === 'Enter' && settle(event)}
      />
    )
  })
}

function ImageParameter(props: { label: string; value: string; onChange: (id: string) => void }) {
  const { label, value, onChange } = props
  const { data } = trpc.images.get.useQuery({ id: value }, { enabled: value !== '', retry: false })
  const image = data && isShareable(data) ? data : { id: value, photo: '', placeholder: '' }
  return (
    <ImageChoice
      legend={label}
      images={value === '' ? [] : [image]}
      max={1}
      onAdd={({ id }) => onChange(id)}
      onRemove={() => onChange('')}
    />
  )
}

/** A select that adds LoRAs of an engine, and the weight of each one that was chosen. */
export function LoraOptions({ names }: { names: readonly string[] }) {
  const { i18n, t } = useLingui()
  const { accepted, changeOptions } = useCreation()
  const { loras } = accepted
  const id = useId()
  const hintId = useId()
  const [wanted, setWanted] = useState('')
  const left =
    loras.length < lorasMax ? names.filter((name) => !loras.some((lora) => lora.name === name)) : []
  const chosen = left.includes(wanted) ? wanted : ''
  /** Keeps also those of other engines. */
  const onChange = (change: (all: readonly Lora[]) => readonly Lora[]) =>
    changeOptions(({ loras: all }) => ({ loras: change(all) }))
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
        <p id={hintId} className="quiet small">{t`Small models that add a style or a subject.`}</p>
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
