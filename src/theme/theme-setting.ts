import { useSyncExternalStore } from 'react'
import { readStored, store } from '../browser/apis.ts'

const storageKey = 'theme'

/** A chosen theme. Without one the site is light, or dark if the system prefers it. */
export type Theme = 'soft-dark' | 'hc'

/** Parses a stored theme; null for any other value. */
export function parseTheme(value: string | null | undefined): Theme | null {
  return value === 'soft-dark' || value === 'hc' ? value : null
}

const listeners = new Set<() => void>()

/** Applies and stores a theme, which other tabs follow; null removes it. */
export function chooseTheme(theme: Theme | null): void {
  store('localStorage', storageKey, theme)
  show(theme)
}

/** The chosen theme of the page. */
export function useTheme(): Theme | null {
  return useSyncExternalStore(subscribe, currentTheme, () => null)
}

/** Reads the attribute, not the stored value: a choice also applies if storage is blocked. */
function currentTheme(): Theme | null {
  return parseTheme(document.documentElement.dataset['theme'])
}

function show(theme: Theme | null): void {
  if (theme) document.documentElement.dataset['theme'] = theme
  else delete document.documentElement.dataset['theme']
  for (const listener of listeners) listener()
}

function onStorage(event: StorageEvent): void {
  // The key is null after `localStorage.clear()`.
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
