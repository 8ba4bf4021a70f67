import { useSyncExternalStore } from 'react'
import { readStored, store } from '../browser/apis.ts'

const storageKey = 'theme'

/** The themes that can be chosen; no choice means light, or dark where the system prefers it. */
export type Theme = 'soft-dark' | 'hc'

/** Any other value than a theme's is no choice. */
export function parseTheme(value: string | null | undefined): Theme | null {
  return value === 'soft-dark' || value === 'hc' ? value : null
}

const listeners = new Set<() => void>()

/** Chooses a theme, here and in every other tab; null goes back to the automatic one. */
export function chooseTheme(theme: Theme | null): void {
  store('localStorage', storageKey, theme)
  show(theme)
}

/** The theme that the page shows, by choice. */
export function useTheme(): Theme | null {
  return useSyncExternalStore(subscribe, currentTheme, () => null)
}

/** The attribute, not the stored value, so that a choice holds even where nothing can be stored. */
function currentTheme(): Theme | null {
  return parseTheme(document.documentElement.dataset['theme'])
}

function show(theme: Theme | null): void {
  if (theme) document.documentElement.dataset['theme'] = theme
  else delete document.documentElement.dataset['theme']
  for (const listener of listeners) listener()
}

function onStorage(event: StorageEvent): void {
  // A null key: the other tab cleared everything.
  if (event.key === storageKey || event.key === null) show(parseTheme(readStored('localStorage', storageKey)))
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}
