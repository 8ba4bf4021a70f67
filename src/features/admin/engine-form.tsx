import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import type { AdminEngine } from '../../../shared/admin.ts'
import { embeddedEngineLabel, engineKinds, type EngineKind } from '../../../shared/engines.ts'
import { linesOf, PasswordField, SelectField, TextArea, TextField } from '../../ui/form.tsx'

const settings = [
  'apiKey',
  'url',
  'model',
  'models',
  'username',
  'password',
  'workflow',
  'steps',
  'cfg',
] as const

type Setting = (typeof settings)[number]

const settingsOf: Readonly<Record<EngineKind, readonly Setting[]>> = {
  rangoli: [],
  openai: ['apiKey', 'url', 'model'],
  openrouter: ['apiKey', 'models'],
  automatic1111: ['url', 'model', 'username', 'password', 'steps', 'cfg'],
  comfyui: ['url', 'model', 'workflow', 'steps', 'cfg'],
  sdcpp: ['url'],
  chat: ['url', 'apiKey', 'model'],
}

const required: Readonly<Partial<Record<EngineKind, readonly Setting[]>>> = {
  openrouter: ['apiKey'],
  automatic1111: ['url'],
  comfyui: ['url'],
  sdcpp: ['url'],
  chat: ['url', 'model'],
}

const kindLabels: Readonly<Record<EngineKind, MessageDescriptor>> = {
  rangoli: msg`Patterns, drawn on this server without a model`,
  openai: msg`OpenAI, or a compatible server`,
  openrouter: msg`OpenRouter`,
  automatic1111: msg`AUTOMATIC1111, Forge or SD.Next`,
  comfyui: msg`ComfyUI`,
  sdcpp: msg`stable-diffusion.cpp`,
  chat: msg`Chat completions with images`,
}

/** Names of engines for users, unless another one is entered. */
const usualLabels: Readonly<Record<EngineKind, string>> = {
  rangoli: embeddedEngineLabel,
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
  automatic1111: 'Stable Diffusion',
  comfyui: 'ComfyUI',
  sdcpp: 'stable-diffusion.cpp',
  chat: 'Chat',
}

const settingLabels: Readonly<Record<Setting, MessageDescriptor>> = {
  apiKey: msg`API key`,
  url: msg`Address of the server`,
  model: msg`Model`,
  models: msg`Models to offer, one per line; empty: all`,
  username: msg`User name`,
  password: msg({ message: 'Password', context: 'of an engine' }),
  workflow: msg`Workflow, as saved by Export (API)`,
  steps: msg`Steps`,
  cfg: msg`CFG scale`,
}

const examples: Readonly<Partial<Record<EngineKind, string>>> = {
  openai: 'https://api.openai.com/v1',
  automatic1111: 'http://localhost:7860',
  comfyui: 'http://localhost:8188',
  sdcpp: 'http://localhost:1234',
  chat: 'https://openrouter.ai/api/v1',
}

const fieldName = (setting: string) => `engine.${setting}`

type ReadText = (field: string) => string

/**
 * Fields of an engine.
 *
 * @param props.isBrief true to leave out what can be added later
 * @param props.after follows the fields of an engine that can fail
 */
export function EngineFields({
  engine,
  isBrief = false,
  after,
}: {
  engine?: AdminEngine
  isBrief?: boolean
  after?: ReactNode
}) {
  const { t, i18n } = useLingui()
  const [kind, setKind] = useState<EngineKind>(engine?.kind ?? (isBrief ? 'rangoli' : 'openai'))
  const known = (setting: Setting) => knownText(setting, engine)
  const shown = settingsOf[kind].filter(
    (setting) => !isBrief || !['steps', 'cfg', 'username', 'password'].includes(setting),
  )
  return (
    <>
      <SelectField
        label={t({ message: 'Kind', context: 'of an engine' })}
        name={fieldName('kind')}
        value={kind}
        disabled={engine !== undefined}
        options={engineKinds.map((one) => [one, i18n._(kindLabels[one])])}
        onChange={({ target }) => setKind(engineKinds.find((one) => one === target.value) ?? kind)}
      />
      {!isBrief && (
        <TextField
          key={`${kind} label`}
          label={t`Name for users`}
          name={fieldName('label')}
          defaultValue={engine?.label ?? usualLabels[kind]}
          maxLength={60}
        />
      )}
      {shown.map((setting) => {
        const label = i18n._(settingLabels[setting])
        const common = { label, name: fieldName(setting), dir: 'ltr', autoComplete: 'off', spellCheck: false }
        if (setting === 'apiKey' || setting === 'username' || setting === 'password') {
          const isStored = engine?.secrets.includes(setting)
          return (
            <PasswordField
              key={setting}
              {...common}
              autoComplete="new-password"
              required={false}
              hint={isStored ? t`One is stored. Enter another one to replace it.` : undefined}
            />
          )
        }
        if (setting === 'workflow' || setting === 'models')
          return <TextArea key={setting} {...common} defaultValue={known(setting)} />
        return (
          <TextField
            key={`${kind} ${setting}`}
            {...common}
            placeholder={setting === 'url' ? examples[kind] : undefined}
            defaultValue={known(setting)}
          />
        )
      })}
      {!isBrief && (
        <TextArea
          label={t`Price of an image, in US dollars`}
          hint={t`A number such as 0.04; for one model a line such as MODEL 0.10.`}
          name={fieldName('price')}
          dir="ltr"
          rows={2}
          defaultValue={pricesText(engine?.price)}
        />
      )}
      {kind !== 'rangoli' && after}
    </>
  )
}

/** The text of a setting of a known engine, of whose models only the one that was entered. */
function knownText(setting: Setting, engine?: AdminEngine): string {
  return textOf(engine?.[setting === 'model' ? 'ownModel' : (setting as keyof AdminEngine)])
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.join('\n')
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}

function pricesText(price: AdminEngine['price'] = {}): string {
  const prices = typeof price === 'number' ? { default: price } : price
  return Object.entries(prices)
    .map(([model, dollars]) => (model === 'default' ? String(dollars) : `${model} ${dollars}`))
    .join('\n')
}

/** Parses prices; null for invalid ones. */
function parsePrices(text: string): Readonly<Record<string, number>> | null {
  const lines = linesOf(text).map((line) => /^(?:(\S+)\s+)?(\d+(?:\.\d+)?)$/.exec(line))
  if (lines.some((line) => line === null)) return null
  return Object.fromEntries(lines.map((line) => [line?.[1] ?? 'default', Number(line?.[2])]))
}

const isNumeric = (setting: Setting) => setting === 'steps' || setting === 'cfg'

/** Returns the kind of a known engine, or else the one that was chosen. */
export function readKind(text: ReadText, engine?: AdminEngine): EngineKind {
  return engine?.kind ?? engineKinds.find((kind) => kind === text(fieldName('kind'))) ?? 'rangoli'
}

/** Returns the errors of what was entered. */
export function engineErrors(text: ReadText, engine?: AdminEngine) {
  const kind = readKind(text, engine)
  const isMissing = (setting: Setting) =>
    text(fieldName(setting)) === '' && !engine?.secrets.includes(setting) && required[kind]?.includes(setting)
  return {
    ...Object.fromEntries(
      settingsOf[kind].map((setting) => [
        fieldName(setting),
        isMissing(setting)
          ? msg`Please fill this in.`
          : setting === 'url' && leadsElsewhere(text, engine)
            ? msg`This address leads to another server. Enter the key or the password again, too.`
            : setting === 'url' &&
                text(fieldName('url')) !== '' &&
                !/^https?:\/\/\S+$/.test(text(fieldName('url')))
              ? msg`Enter an address that begins with http:// or https://.`
              : isNumeric(setting) && Number.isNaN(parseSetting(setting, text(fieldName(setting))))
                ? msg`Enter a number such as 0.04.`
                : setting === 'workflow' &&
                  !isJson(text(fieldName('workflow'))) &&
                  msg`This is not valid JSON.`,
      ]),
    ),
    [fieldName('price')]: parsePrices(text(fieldName('price'))) === null && msg`Enter a number such as 0.04.`,
  }
}

/** Checks whether stored secrets would be sent to another server, which the server rejects. */
function leadsElsewhere(text: ReadText, engine?: AdminEngine): boolean {
  if (!engine || engine.secrets.length === 0) return false
  const originOf = (url = '') => (URL.canParse(url) ? new URL(url).origin : '')
  const isElsewhere = originOf(text(fieldName('url'))) !== originOf(engine.url)
  return isElsewhere && engine.secrets.some((secret) => text(fieldName(secret)) === '')
}

function isJson(text: string): boolean {
  try {
    return text === '' || Boolean(JSON.parse(text))
  } catch {
    return false
  }
}

/** Returns what was entered as an entry; of a known engine, null for what was emptied, and only secrets that were entered. */
export function engineEntry(text: ReadText, engine?: AdminEngine) {
  const kind = readKind(text, engine)
  const values = settingsOf[kind].flatMap((setting) => {
    const value = text(fieldName(setting))
    if (value !== '') return [[setting, parseSetting(setting, value)]]
    return engine && !engine.secrets.includes(setting) && knownText(setting, engine) !== ''
      ? [[setting, null]]
      : []
  })
  const prices = parsePrices(text(fieldName('price'))) ?? {}
  const hasPrices = Object.keys(prices).length > 0
  return {
    ...(!engine && { kind }),
    label: text(fieldName('label')) || usualLabels[kind],
    ...Object.fromEntries(values),
    ...((hasPrices || engine?.price !== undefined) && { price: hasPrices ? prices : null }),
  }
}

function parseSetting(setting: Setting, value: string): unknown {
  if (setting === 'models') return linesOf(value)
  if (setting === 'workflow') return JSON.parse(value)
  return isNumeric(setting) ? Number(value.replace(',', '.')) : value
}
