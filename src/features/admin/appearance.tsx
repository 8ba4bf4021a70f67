import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { announcementLimit } from '../../../shared/announcements.ts'
import {
  appearanceFields,
  byLanguage,
  examplesMax,
  logoSize,
  type AppearanceField,
  type AppearanceSettings,
} from '../../../shared/appearance.ts'
import { nameLimit, previewPromptLength } from '../../../shared/limits.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { accentTokens } from '../../theme/accent.ts'
import { themesOf } from '../../theme/colors.ts'
import css from '../../theme/tokens.css?raw'
import { toast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, linesOf, SelectField, TextArea, TextField } from '../../ui/form.tsx'
import { software } from '../../ui/site-links.tsx'
import prose from '../../ui/prose.module.css'
import { FailureNotice, QueryState, useCall } from '../auth/call-failure.tsx'
import { CallForm } from '../auth/call-form.tsx'
import styles from './admin.module.css'
import { FixedBy } from './settings.tsx'

/** Name, colors, logo and texts of the site. */
export function AppearanceSection() {
  const { t } = useLingui()
  const languages = useSite().languages.map(({ code, name }) => [code, name] as const)
  const choices = [['', t`All languages`], ...languages] as const
  const query = trpc.site.appearance.useQuery()
  const [language, setLanguage] = useState('')
  const [opened, setOpened] = useState([language])
  return (
    <>
      <QueryState query={query} failed={t`The appearance could not be loaded.`} />
      {query.data && (
        <div className={`stack wider ${styles['settings']}`}>
          <SelectField
            label={t({ message: 'Texts in', context: 'language' })}
            hint={t`Texts for all languages are shown wherever a language has none of its own.`}
            value={language}
            options={choices}
            onChange={({ target: { value } }) => {
              setLanguage(value)
              if (!opened.includes(value)) setOpened([...opened, value])
            }}
          />
          {opened.map((code) => (
            // What was entered for another language stays.
            <div key={code} hidden={code !== language}>
              <AppearanceForm settings={query.data} language={code} />
            </div>
          ))}
        </div>
      )}
    </>
  )
}

function AppearanceForm({ settings, language }: { settings: AppearanceSettings; language: string }) {
  const api = trpc.useUtils()
  const { t } = useLingui()
  const isForAll = language === ''
  const known = (field: AppearanceField) => byLanguage<string | readonly string[]>(settings[field] ?? {})
  const inForm = (field: AppearanceField) => [known(field)[language] ?? []].flat().join('\n')
  const [accent, setAccent] = useState(inForm('accent'))
  const [logo, setLogo] = useState(inForm('logo'))
  /** Returns the attributes of a field, which a variable may fix. */
  const field = (name: AppearanceField, hint: string) => ({
    name,
    hint: settings.fixed[name] ? <FixedBy variable={settings.fixed[name]} /> : hint,
    disabled: name in settings.fixed,
    defaultValue:
      // A variable's is a URL.
      name === 'contact' && settings.fixed[name] ? inForm(name).replace(/^mailto:/, '') : inForm(name),
  })

  return (
    <CallForm
      className={styles['settings']}
      variant="primary"
      submit={t`Save`}
      busy={t`Saving…`}
      failed={t`The appearance could not be saved. Try again in a moment.`}
      call={async (text) => {
        const changes = appearanceFields.flatMap((name) => {
          const value = name === 'logo' ? logo : text(name)
          const isShown = isForAll || (name !== 'accent' && name !== 'logo')
          if (!isShown || name in settings.fixed || value === inForm(name)) return []
          const { [language]: _, ...others } = known(name)
          const entered = name === 'examples' ? linesOf(value) : value
          const next = entered.length === 0 ? others : { ...others, [language]: entered }
          return [[name, Object.keys(next).length === 0 ? null : next]]
        })
        const saved = await api.client.site.updateAppearance.mutate(Object.fromEntries(changes))
        api.site.appearance.setData(undefined, saved)
        toast(t`The appearance is saved. Pages have it when they are loaded again.`)
      }}
    >
      <TextField
        label={t`Name of the site`}
        {...field('name', t`Empty: ${software}.`)}
        maxLength={nameLimit.codeUnits}
      />
      <TextField
        label={t`Contact`}
        {...field('contact', t`Email or web address of the operator, at the end of every page. Empty: none.`)}
        dir="ltr"
        spellCheck={false}
      />
      {isForAll && (
        <>
          <TextField
            label={t`Accent color`}
            hint={t`Buttons, links and marks take a shade of it that can be read in every theme. Empty: marigold.`}
            name="accent"
            dir="ltr"
            placeholder="#a5481f"
            value={accent}
            onChange={({ target }) => setAccent(target.value.trim())}
            check={(text) => text !== '' && !isColor(text) && msg`Enter a color such as #a5481f.`}
            action={
              <input
                type="color"
                className={styles['color']}
                aria-label={t`Choose the accent color`}
                value={isColor(accent) ? accent : '#e8a13a'}
                onChange={({ target }) => setAccent(target.value)}
              />
            }
          />
          {isColor(accent) && <AccentPreview accent={accent} />}
          <LogoField logo={logo} onChange={setLogo} />
        </>
      )}
      <TextArea
        label={t`Welcome text`}
        {...field('welcome', t`Below the heading of the gallery. Empty: the usual sentence.`)}
        maxLength={announcementLimit.codeUnits}
      />
      <TextArea
        label={t`Example prompts`}
        {...field('examples', t`One per line, ${examplesMax} at most. Empty: the usual ones.`)}
        rows={4}
        maxLength={examplesMax * (previewPromptLength + 1)}
        check={(text) => linesOf(text).length > examplesMax && t`Enter at most ${examplesMax} prompts.`}
      />
      <RulesField {...field('rules', t`In Markdown, on a page of their own. Empty: no rules.`)} />
    </CallForm>
  )
}

const isColor = (text: string) => /^#[\da-f]{6}$/i.test(text)

/** The accent as a button and a link, in the colors of each theme. */
function AccentPreview({ accent }: { accent: string }) {
  const { t } = useLingui()
  const tokens = accentTokens(accent, css)
  return (
    <div role="img" aria-label={t`The accent in each theme`} className="row">
      {Object.entries(themesOf(css)).map(([theme, base]) => (
        <span key={theme} style={{ ...base, ...tokens[theme] }} className={styles['accent']}>
          <span>{accent}</span> <span>{accent}</span>
        </span>
      ))}
    </div>
  )
}

/** Reads an image file as a PNG of at most the size of logos. */
async function readLogo(file: File): Promise<string> {
  const image = await createImageBitmap(file)
  const scale = Math.min(1, logoSize / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}

function LogoField({ logo, onChange }: { logo: string; onChange: (logo: string) => void }) {
  const { t } = useLingui()
  const { run, failure } = useCall(t`This file is no image that the browser can read.`)
  return (
    <>
      <Field label={t`Logo`} hint={t`Square, with a transparent background. Empty: the mark of Rangoli.`}>
        {(control) => (
          <span className="row wider">
            {logo !== '' && <img src={logo} alt={t`The current logo`} width={48} height={48} />}
            <input
              {...control}
              type="file"
              accept="image/png,image/jpeg,image/webp"
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) run(async () => onChange(await readLogo(file)))
                // The same file can be chosen again.
                target.value = ''
              }}
            />
            {logo !== '' && <Button onClick={() => onChange('')}>{t`Remove`}</Button>}
          </span>
        )}
      </Field>
      <FailureNotice failure={failure} />
    </>
  )
}

/** The rules, and on request how their page shows them. */
function RulesField(props: Omit<Parameters<typeof TextArea>[0], 'label'>) {
  const { client } = trpc.useUtils()
  const { t } = useLingui()
  const [rules, setRules] = useState(String(props.defaultValue ?? ''))
  const [preview, setPreview] = useState<{ readonly title: string; readonly html: string } | null>(null)
  const { run, isBusy, failure } = useCall(t`The preview could not be loaded.`)
  return (
    <>
      <TextArea
        label={t`Rules`}
        rows={8}
        {...props}
        onChange={({ target }) => setRules(target.value)}
        action={
          <Button
            isBusy={isBusy || rules.trim() === ''}
            onClick={() => run(async () => setPreview(await client.site.previewRules.mutate({ rules })))}
          >
            {t`Preview`}
          </Button>
        }
      />
      <FailureNotice failure={failure} />
      {preview && (
        <section aria-label={t`Preview of the rules`} className="card padded">
          <h2 dir="auto">{preview.title}</h2>
          {/* The server escapes HTML in the text. */}
          <div dir="auto" className={prose['prose']} dangerouslySetInnerHTML={{ __html: preview.html }} />
        </section>
      )}
    </>
  )
}
