import { useLingui } from '@lingui/react/macro'
import { useSite } from '../api/site.tsx'
import { IconSelect } from '../ui/icon-select.tsx'
import { useChooseLanguage } from './choose-language.ts'

/** Select for the language of the interface. */
export function LanguagePicker() {
  const { i18n, t } = useLingui()
  const { languages } = useSite()
  const choose = useChooseLanguage()
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
