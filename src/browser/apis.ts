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

/** Copies a text to the clipboard. Resolves to false if the browser forbids it, as without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Returns 1 for the arrow key that points forward in the direction of the page, -1 for the one that points back, or 0. */
export function arrowStep(key: string): 1 | -1 | 0 {
  const isRightToLeft = document.documentElement.dir === 'rtl'
  if (key === 'ArrowLeft') return isRightToLeft ? 1 : -1
  if (key === 'ArrowRight') return isRightToLeft ? -1 : 1
  return 0
}

/** Saves a file as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Finds a button of the list item after or before the given one, to focus once that one is deleted. */
export function findNeighborButton(itemId: string): HTMLElement | null {
  const item = document.getElementById(itemId)
  const neighbor = item?.nextElementSibling ?? item?.previousElementSibling
  return neighbor?.querySelector('button') ?? null
}
