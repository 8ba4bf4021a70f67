import { useLingui } from '@lingui/react/macro'
import { IconSelect } from '../ui/icon-select.tsx'
import { chooseLook, useLook } from './theme-setting.ts'

/** Select for the theme. */
export function ThemePicker() {
  const { t } = useLingui()
  const icon = (
    <>
      <circle cx="10" cy="10" r="7" />
      <path data-filled d="M10 3a7 7 0 0 1 0 14z" />
    </>
  )
  return (
    <IconSelect label={t`Theme`} icon={icon} value={useLook() ?? ''} onChange={chooseLook}>
      <option value="">{t`Automatic`}</option>
      <option value="light">{t`Light`}</option>
      <option value="dark">{t`Dark`}</option>
      <option value="soft-dark">{t`Soft dark`}</option>
      <option value="hc">{t`High contrast`}</option>
    </IconSelect>
  )
}
