import { useLingui } from '@lingui/react/macro'
import type { ModelParameter, ParameterValues } from '../../../shared/engines.ts'
import { trpc } from '../../api/trpc.ts'
import { parameterMax } from '../../../shared/limits.ts'
import { SelectField, TextField } from '../../ui/form.tsx'
import { parameterLabel } from '../../images/parameter-label.ts'
import { ImageChoice } from './reference-options.tsx'
import { isShareable } from './use-own-images.ts'

interface ParameterOptionsProps {
  readonly parameters: readonly ModelParameter[]
  readonly values: ParameterValues
  readonly onChange: (change: (values: ParameterValues) => ParameterValues) => void
}

/** A field for each parameter of a model, with the names and values of its provider. */
export function ParameterOptions({ parameters, values, onChange }: ParameterOptionsProps) {
  const { t } = useLingui()
  const unset = t({ message: 'Default', comment: 'Value of an option that the model chooses' })
  const switches = [
    ['true', t({ message: 'On', comment: 'Value of an option of a model' })],
    ['false', t({ message: 'Off', comment: 'Value of an option of a model' })],
  ] as const
  return parameters.map(({ name, type, values: choices = [], min, max, isWhole }) => {
    const change = (text: string) => {
      const value = type === 'boolean' ? text === 'true' : type === 'range' ? Number(text) : text
      onChange((all) => {
        const { [name]: _, ...others } = all
        return text === '' ? others : { ...others, [name]: value }
      })
    }
    const words = parameterLabel(name)
    const label = words.charAt(0).toUpperCase() + words.slice(1)
    const field = { label, value: String(values[name] ?? '') }
    if (type === 'image') return <ImageParameter key={name} {...field} onChange={change} />
    if (type === 'text') {
      return (
        <TextField
          key={name}
          {...field}
          maxLength={parameterMax}
          placeholder={unset}
          onChange={(event) => change(event.target.value)}
        />
      )
    }
    return type === 'range' ? (
      <TextField
        key={name}
        {...field}
        {...{ min, max }}
        type="number"
        // A number, with which React keeps `0.0` on the way to `0.05`.
        value={values[name] === undefined ? '' : Number(values[name])}
        step={isWhole ? 1 : 'any'}
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

/** An image of the user as the value of a parameter. */
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
