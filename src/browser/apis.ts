import { yearSeconds } from '../../shared/limits.ts'

type StorageArea = 'localStorage' | 'sessionStorage'

/** Reads a stored value; null if there is none or storage is blocked. */
export function readStored(area: StorageArea, key: string): string | null {
  try {
    return window[area].getItem(key)
  } catch {
    return null
  }
}

/** Stores a value, or removes it if null. Does nothing if storage is blocked or full. */
export function store(area: StorageArea, key: string, value: string | null): void {
  try {
    if (value === null) window[area].removeItem(key)
    else window[area].setItem(key, value)
  } catch {
    // Stored values are a convenience; the page works without them.
  }
}

/** Stores a choice for a year where the server reads it, too. */
export function storeCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`
}

/** Copies a text to the clipboard. Resolves to false if the browser forbids it, as without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Checks whether a key or a click is for the browser or the system. Shift, which only makes other characters, is not in it. */
export function hasModifier(event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  return event.ctrlKey || event.metaKey || event.altKey
}

/** Checks whether letters belong to what has the focus: a field or a menu. */
export function isTyping(target: EventTarget | null): boolean {
  const controls = 'input:not([type=range]), textarea, select, [contenteditable], [role=menu]'
  return target instanceof Element && target.closest(controls) !== null
}

/** Presses the first control that declares a key in `aria-keyshortcuts`. Returns whether there is one. */
export function pressShortcut(within: Element, key: string): boolean {
  const name = CSS.escape(key.length === 1 ? key.toUpperCase() : key)
  const control = within.querySelector<HTMLElement>(`[aria-keyshortcuts~="${name}"]`)
  control?.click()
  return control !== null
}

/** Returns 1 for the arrow key that points forward in the direction of the page, -1 for the one that points back, or 0. */
export function arrowStep(key: string): 1 | -1 | 0 {
  const isRightToLeft = document.documentElement.dir === 'rtl'
  if (key === 'ArrowLeft') return isRightToLeft ? 1 : -1
  if (key === 'ArrowRight') return isRightToLeft ? -1 : 1
  return 0
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Finds the heading of the page, which gets the focus when what had it is gone. */
export function pageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main h1')
}

/** Finds the element to focus after an item of a list is removed: a button of its neighbor, or the page's heading. */
export function findNeighbor(itemId: string): HTMLElement | null {
  const item = document.getElementById(itemId)
  const neighbor = item?.nextElementSibling ?? item?.previousElementSibling
  return neighbor?.querySelector('button') ?? pageHeading()
}

/** Key in `localStorage`: id of the user whom this device notifies. */
export const notifiedUserKey = 'notifiedUser'

/** Key of the saved draft in `sessionStorage`. */
export const draftKey = 'draft'

/** Key of the daily count in `localStorage`. */
export const countKey = 'imageCount'

/** Deletes the saved draft of this tab. */
export function clearDraft(): void {
  store('sessionStorage', draftKey, null)
}

/** Stores the number of images generated today; null for a visitor, who has none. */
export function storeDailyCount(used: number | null): void {
  if (used !== null) store('localStorage', countKey, String(used))
  else if (readStored('localStorage', countKey) !== null) store('localStorage', countKey, '0')
}

/** Removes what the browser stores for a user whose account was deleted: the draft, and the count, with which other tabs delete theirs. */
export function clearLocalData(): void {
  clearDraft()
  store('localStorage', countKey, null)
}
