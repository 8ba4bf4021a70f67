import { useLingui } from '@lingui/react/macro'
import { useRef } from 'react'
import { formatsOf, languageCookie } from '../../shared/languages.ts'
import { useSite } from '../api/site.tsx'
import { storeCookie } from '../browser/apis.ts'
import { toast } from '../ui/announcer.tsx'
import { IconSelect } from '../ui/icon-select.tsx'
import { loadMessages } from './messages.ts'

export function LanguagePicker() {
  const { i18n, t } = useLingui()
  const { languages } = useSite()
  const latest = useRef('')

  /** Switches the page to a language, and remembers it. */
  async function choose(code: string) {
    latest.current = code
    try {
      const messages = await loadMessages(code)
      if (latest.current !== code) return
      const { documentElement } = document
      documentElement.lang = code
      documentElement.dir = languages.find((language) => language.code === code)?.direction ?? 'ltr'
      i18n.loadAndActivate({ locale: code, locales: formatsOf(code), messages })
    } catch {
      return toast(t`The language could not be loaded. Try again.`)
    }
    // The server renders the next document in this language.
    storeCookie(languageCookie, code)
  }

  return (
    <IconSelect
      label={t`Language`}
      icon={
        <path d="M3 10h14M10 3c4.5 4.5 4.5 9.5 0 14-4.5-4.5-4.5-9.5 0-14M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14" />
      }
      value={i18n.locale}
      onChange={(code) => void choose(code)}
    >
      {languages.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </IconSelect>
  )
}
