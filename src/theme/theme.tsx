import { useLingui } from '@lingui/react/macro'
import { useSyncExternalStore } from 'react'
import { store } from '../browser/apis.ts'
import { IconSelect } from '../ui/icon-select.tsx'

export function ThemePicker() {
  const { t } = useLingui()
  const look = useSyncExternalStore(subscribe, currentLook, () => null)
  const icon = (
    <>
      <circle cx="10" cy="10" r="7" />
      <path data-filled d="M10 3a7 7 0 0 1 0 14z" />
    </>
  )
  return (
    <IconSelect label={t`Theme`} icon={icon} value={look ?? ''} onChange={chooseLook}>
      <option value="">{t`Automatic`}</option>
      <option value="light">{t`Light`}</option>
      <option value="dark">{t`Dark`}</option>
      <option value="soft-dark">{t`Soft dark`}</option>
      <option value="hc">{t`High contrast`}</option>
    </IconSelect>
  )
}

/**
 * Values of the attributes `data-theme` and `data-scheme`, and of the stored choices. A theme replaces the colors, a scheme the
 * one that the system prefers. A theme takes precedence.
 */
const looks = { theme: ['soft-dark', 'hc'], scheme: ['light', 'dark'] } as const
type Kind = keyof typeof looks
const kinds: readonly Kind[] = ['theme', 'scheme']

/** A chosen look of the site; null follows the system. */
export type Look = (typeof looks)[Kind][number] | null

/** Parses a stored theme or color scheme; null for any other value. */
export function parseLook(kind: Kind, value: string | null | undefined): Look {
  const values: readonly Look[] = looks[kind]
  return values.find((look) => look === value) ?? null
}

const listeners = new Set<() => void>()

/** Applies and stores a look, which other tabs follow. */
function chooseLook(value: string): void {
  for (const kind of kinds) {
    const look = parseLook(kind, value)
    store('localStorage', kind, look)
    if (look === null) document.documentElement.removeAttribute(`data-${kind}`)
    else document.documentElement.setAttribute(`data-${kind}`, look)
  }
  for (const listener of listeners) listener()
}

/** Reads the attributes, not the stored values: a choice also applies if storage is blocked. */
function currentLook(): Look {
  const { theme, scheme } = document.documentElement.dataset
  return parseLook('theme', theme) ?? parseLook('scheme', scheme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // After the boot script, which applies what another tab has chosen.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
