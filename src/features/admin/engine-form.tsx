import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import { engineKinds, leadsElsewhere, type EngineKind } from '../../../shared/engines.ts'
import { embeddedEngineLabel } from '../../../shared/page-data.ts'
import type { RouterOutputs } from '../../api/trpc.ts'
import { linesOf, PasswordField, SelectField, TextArea, TextField } from '../../ui/form.tsx'

/** An engine, as administrators see it. */
export type AdminEngine = RouterOutputs['admin']['engines']['list']['engines'][number]

interface SettingField {
  readonly label: MessageDescriptor
  readonly hint?: MessageDescriptor
  readonly control?: typeof TextArea | typeof PasswordField
  /** True for one that can be added after the setup. */
  readonly isDetail?: true
  /** Returns the setting that a text describes, undefined for none; without it, that is the text. */
  readonly parse?: (text: string) => unknown
  /** The error of a text that describes none. */
  readonly wrong?: MessageDescriptor
  readonly format?: (value: unknown) => string
}

const number = {
  isDetail: true,
  parse: (text: string) => [Number(text.replace(',', '.'))].find((value) => !Number.isNaN(value)),
  wrong: msg`Enter a number such as 0.04.`,
} as const

const headerLines = msg`A line such as X-Key: 1234 for each header.`

const fields = {
  apiKey: { label: msg`API key`, control: PasswordField },
  url: {
    label: msg`Address of the server`,
    parse: (text) => /^https?:\/\/\S+$/.exec(text)?.[0],
    wrong: msg`Enter an address that begins with http:// or https://.`,
  },
  model: { label: msg`Model` },
  models: { label: msg`Models to offer, one per line; empty: all`, control: TextArea, parse: linesOf },
  username: { label: msg`User name`, control: PasswordField, isDetail: true },
  password: {
    label: msg({ message: 'Password', context: 'of an engine' }),
    control: PasswordField,
    isDetail: true,
  },
  headers: {
    label: msg`Headers of every request, for a proxy in front of the server`,
    hint: headerLines,
    control: TextArea,
    isDetail: true,
    parse: (text) => parseLines(text, /^([^\s:]+):\s*(.+)$/),
    wrong: headerLines,
  },
  workflow: {
    label: msg`Workflow, as saved by Export (API)`,
    control: TextArea,
    parse: parseJson,
    wrong: msg`This is not valid JSON.`,
  },
  steps: { label: msg`Steps`, ...number },
  cfg: { label: msg`CFG scale`, ...number },
  sampler: { label: msg`Sampler`, isDetail: true },
  scheduler: { label: msg`Scheduler`, isDetail: true },
  price: {
    label: msg`Price of an image, in US dollars`,
    hint: msg`A number such as 0.04; for one model a line such as MODEL 0.10.`,
    control: TextArea,
    isDetail: true,
    parse: parsePrices,
    wrong: number.wrong,
    format: pricesText,
  },
} satisfies Readonly<Record<string, SettingField>>

type Setting = keyof typeof fields

const sampling = ['steps', 'cfg', 'sampler', 'scheduler'] as const

interface KindFields {
  readonly label: MessageDescriptor
  /** Name for users, unless another one is entered. */
  readonly name: string
  readonly settings?: readonly Setting[]
  readonly required?: readonly Setting[]
  /** An address. */
  readonly example?: string
}

const kinds: Readonly<Record<EngineKind, KindFields>> = {
  rangoli: { label: msg`Patterns, drawn on this server without a model`, name: embeddedEngineLabel },
  openai: {
    label: msg`OpenAI, or a compatible server`,
    name: 'OpenAI',
    settings: ['apiKey', 'url', 'model'],
    example: 'https://api.openai.com/v1',
  },
  openrouter: {
    label: msg`OpenRouter`,
    name: 'OpenRouter',
    settings: ['apiKey', 'models'],
    required: ['apiKey'],
  },
  automatic1111: {
    label: msg`AUTOMATIC1111, Forge or SD.Next`,
    name: 'Stable Diffusion',
    settings: ['url', 'model', 'username', 'password', 'headers', ...sampling],
    required: ['url'],
    example: 'http://localhost:7860',
  },
  comfyui: {
    label: msg`ComfyUI`,
    name: 'ComfyUI',
    settings: ['url', 'model', 'headers', 'workflow', ...sampling],
    required: ['url'],
    example: 'http://localhost:8188',
  },
  sdcpp: {
    label: msg`stable-diffusion.cpp`,
    name: 'stable-diffusion.cpp',
    settings: ['url', 'headers'],
    required: ['url'],
    example: 'http://localhost:1234',
  },
  chat: {
    label: msg`Chat completions with images`,
    name: 'Chat',
    settings: ['url', 'apiKey', 'model'],
    required: ['url', 'model'],
    example: 'https://openrouter.ai/api/v1',
  },
}

function fieldsOf(kind: EngineKind): readonly (readonly [Setting, SettingField])[] {
  return [...(kinds[kind].settings ?? []), 'price' as const].map((setting) => [setting, fields[setting]])
}

const nameOf = (setting: string) => `engine.${setting}`

type ReadText = (field: string) => string

/**
 * Fields of an engine.
 *
 * @param props.isBrief true to leave out what can be added later
 * @param props.after follows the fields of an engine that can fail
 */
export function EngineFields(props: { engine?: AdminEngine; isBrief?: boolean; after?: ReactNode }) {
  const { engine, isBrief = false, after } = props
  const { t, i18n } = useLingui()
  const [kind, setKind] = useState<EngineKind>(engine?.kind ?? (isBrief ? 'rangoli' : 'openai'))
  const { name, required, example } = kinds[kind]
  return (
    <>
      <SelectField
        label={t({ message: 'Kind', context: 'of an engine' })}
        name={nameOf('kind')}
        value={kind}
        disabled={engine !== undefined}
        options={engineKinds.map((one) => [one, i18n._(kinds[one].label)])}
        onChange={({ target }) => setKind(engineKinds.find((one) => one === target.value) ?? kind)}
      />
      {!isBrief && (
        <TextField
          key={`${kind} label`}
          label={t`Name for users`}
          name={nameOf('label')}
          defaultValue={engine?.label ?? name}
          maxLength={60}
        />
      )}
      {fieldsOf(kind).map(([setting, field]) => {
        const { label, hint, control: Control = TextField, parse, wrong } = field
        const isStored = engine?.secrets.some((secret) => secret === setting)
        if (isBrief && field.isDetail) return null
        return (
          <Control
            key={field.control ? setting : `${kind} ${setting}`}
            label={i18n._(label)}
            hint={isStored ? t`One is stored. Enter another one to replace it.` : hint && i18n._(hint)}
            name={nameOf(setting)}
            dir="ltr"
            autoComplete={Control === PasswordField ? 'new-password' : 'off'}
            spellCheck={false}
            required={false}
            placeholder={setting === 'url' ? example : undefined}
            defaultValue={knownText(setting, engine)}
            check={(text, read) => {
              // OpenAI itself requires a key, compatible servers do not.
              const isRequired =
                required?.includes(setting) ?? (setting === 'apiKey' && read(nameOf('url')) === '')
              if (text === '' && !isStored && isRequired) return msg`Please fill this in.`
              const kept = engine?.secrets.filter((secret) => read(nameOf(secret)) === '') ?? []
              if (setting === 'url' && leadsElsewhere(engine?.url, text, kept))
                return msg`This address leads to another server. Enter the key or the password again, too.`
              return text !== '' && parse?.(text) === undefined && wrong
            }}
          />
        )
      })}
      {kind !== 'rangoli' && after}
    </>
  )
}

/** The text of a setting of a known engine, of whose models only the one that was entered. */
function knownText(setting: Setting, engine?: AdminEngine): string {
  const value: unknown = engine?.[setting === 'model' ? 'ownModel' : (setting as keyof AdminEngine)]
  const { format = textOf }: SettingField = fields[setting]
  return value === undefined || value === null ? '' : format(value)
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function pricesText(price: unknown): string {
  return Object.entries(typeof price === 'number' ? { default: price } : (price as object))
    .map(([model, dollars]) => (model === 'default' ? String(dollars) : `${model} ${dollars}`))
    .join('\n')
}

function parsePrices(text: string): Readonly<Record<string, number>> | undefined {
  const prices = parseLines(text, /^(?:(\S+)\s+)?(\d+(?:\.\d+)?)$/)
  return prices && Object.fromEntries(Object.entries(prices).map(([model, price]) => [model, Number(price)]))
}

/** Reads a name, `default` without one, and a value from each line; undefined if a line does not match. */
function parseLines(text: string, pattern: RegExp): Readonly<Record<string, string>> | undefined {
  const lines = linesOf(text).map((line) => pattern.exec(line))
  if (lines.some((line) => line === null)) return undefined
  return Object.fromEntries(lines.map((line) => [line?.[1] ?? 'default', line?.[2] ?? '']))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) || undefined
  } catch {
    return undefined
  }
}

/** Returns what was entered as an entry; of a known engine, null for what was emptied, and only secrets that were entered. */
export function engineEntry(text: ReadText, engine?: AdminEngine) {
  const kind = engine?.kind ?? engineKinds.find((one) => one === text(nameOf('kind'))) ?? 'rangoli'
  const values = fieldsOf(kind).flatMap(([setting, { parse }]): [string, unknown][] => {
    const value = text(nameOf(setting))
    if (value !== '') return [[setting, parse ? parse(value) : value]]
    return engine && knownText(setting, engine) !== '' ? [[setting, null]] : []
  })
  const label = text(nameOf('label')) || kinds[kind].name
  return { ...(!engine && { kind }), label, ...Object.fromEntries(values) }
}
