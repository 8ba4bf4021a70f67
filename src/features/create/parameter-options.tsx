import { useLingui } from '@lingui/react/macro'
import type { ModelParameter, ParameterValues } from '../../../shared/engines.ts'
import { SelectField, TextField } from '../../ui/form.tsx'
import { parameterLabel } from '../../images/parameter-label.ts'

interface ParameterOptionsProps {
  readonly parameters: readonly ModelParameter[]
  readonly values: ParameterValues
  readonly onChange: (values: ParameterValues) => void
}

/** A field for each parameter of a model, with the names and values of its provider. */
export function ParameterOptions({ parameters, values, onChange }: ParameterOptionsProps) {
  const { t } = useLingui()
  const unset = t({ message: 'Default', comment: 'Value of an option that the model chooses' })
  const switches = [
    ['true', t({ message: 'On', comment: 'Value of an option of a model' })],
    ['false', t({ message: 'Off', comment: 'Value of an option of a model' })],
  ] as const
  return parameters.map(({ name, type, values: choices = [], min, max }) => {
    const change = (text: string) => {
      const { [name]: _, ...others } = values
      const value = type === 'boolean' ? text === 'true' : type === 'range' ? Number(text) : text
      onChange(text === '' ? others : { ...others, [name]: value })
    }
    const words = parameterLabel(name)
    const label = words.charAt(0).toUpperCase() + words.slice(1)
    const field = { label, value: String(values[name] ?? '') }
    return type === 'range' ? (
      <TextField
        key={name}
        {...field}
        {...{ min, max }}
        type="number"
        step="any"
        hint={`${min}–${max}`}
        placeholder={unset}
        onChange={(event) => change(event.target.value)}
      />
    ) : (
      <SelectField
        key={name}
        {...field}
        options={[
          ['', unset],
          ...(type === 'boolean' ? switches : choices.map((choice) => [choice, choice] as const)),
        ]}
        onChange={(event) => change(event.target.value)}
      />
    )
  })
}
