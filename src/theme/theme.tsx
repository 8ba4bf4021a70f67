import { useLingui } from '@lingui/react/macro'
import { useSyncExternalStore } from 'react'
import { readStored, store } from '../browser/apis.ts'
import { IconSelect } from '../ui/icon-select.tsx'

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

const themes = ['soft-dark', 'hc'] as const
const schemes = ['light', 'dark'] as const

/** A theme that replaces the colors. Its attribute and its stored value have no other values. */
type Theme = (typeof themes)[number]

/** A color scheme instead of the one that the system prefers. A theme takes precedence. */
type Scheme = (typeof schemes)[number]

/** A chosen look of the site; null follows the system. */
export type Look = Theme | Scheme | null

/** Parses a stored theme; null for any other value. */
export function parseTheme(value: string | null | undefined): Theme | null {
  return themes.find((theme) => theme === value) ?? null
}

/** Parses a stored color scheme; null for any other value. */
export function parseScheme(value: string | null | undefined): Scheme | null {
  return schemes.find((scheme) => scheme === value) ?? null
}

const listeners = new Set<() => void>()

/** Applies and stores a look, which other tabs follow. */
export function chooseLook(value: string): void {
  const [theme, scheme] = [parseTheme(value), parseScheme(value)]
  store('localStorage', 'theme', theme)
  store('localStorage', 'scheme', scheme)
  show(theme, scheme)
}

/** The chosen look of the page. */
export function useLook(): Look {
  return useSyncExternalStore(subscribe, currentLook, () => null)
}

/** Reads the attributes, not the stored values: a choice also applies if storage is blocked. */
function currentLook(): Look {
  const { theme, scheme } = document.documentElement.dataset
  return parseTheme(theme) ?? parseScheme(scheme)
}

function show(theme: Theme | null, scheme: Scheme | null): void {
  setAttribute('data-theme', theme)
  setAttribute('data-scheme', scheme)
  for (const listener of listeners) listener()
}

function setAttribute(name: string, value: string | null): void {
  if (value === null) document.documentElement.removeAttribute(name)
  else document.documentElement.setAttribute(name, value)
}

function onStorage(event: StorageEvent): void {
  // The key is null after `localStorage.clear()`.
  if (event.key !== 'theme' && event.key !== 'scheme' && event.key !== null) return
  show(parseTheme(readStored('localStorage', 'theme')), parseScheme(readStored('localStorage', 'scheme')))
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}
