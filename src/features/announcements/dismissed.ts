import { useSyncExternalStore } from 'react'
import { readStored, store } from '../../browser/apis.ts'
import { dismissedKey } from '../../browser/dismissed-script.ts'

/** Number of dismissed announcements that are remembered. Those of years ago have been removed. */
const rememberedMax = 20

const listeners = new Set<() => void>()

/** Kept here as well, for browsers that block storage. */
let dismissed: readonly string[] | null = null

const none: readonly string[] = []

function parseDismissed(value: string | null): readonly string[] {
  try {
    const ids: unknown = JSON.parse(value ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : none
  } catch {
    return none
  }
}

function current(): readonly string[] {
  return (dismissed ??= parseDismissed(readStored('localStorage', dismissedKey)))
}

/** Hides an announcement in this browser from now on. */
export function dismiss(id: string): void {
  dismissed = [id, ...current().filter((one) => one !== id)].slice(0, rememberedMax)
  store('localStorage', dismissedKey, JSON.stringify(dismissed))
  for (const listener of listeners) listener()
}

function onStorage({ key, newValue }: StorageEvent): void {
  if (key !== dismissedKey) return
  dismissed = parseDismissed(newValue)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

/** Ids of the dismissed announcements. None on the server and during hydration, while a rule of the head hides them. */
export function useDismissed(): readonly string[] {
  return useSyncExternalStore(subscribe, current, () => none)
}
