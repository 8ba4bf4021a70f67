type Area = 'localStorage' | 'sessionStorage'

/** What the browser keeps under `key`; null where nothing is, or where the user blocks storage. */
export function readStored(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key)
  } catch {
    return null
  }
}

/** Keeps `value` under `key`, or removes it when null. Blocked or full storage only costs the convenience. */
export function store(area: Area, key: string, value: string | null): void {
  try {
    if (value === null) window[area].removeItem(key)
    else window[area].setItem(key, value)
  } catch {
    // Everything stored is a convenience; the page works the same without it.
  }
}
