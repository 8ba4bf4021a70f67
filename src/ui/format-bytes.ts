import type { I18n } from '@lingui/core'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a number of bytes in the largest unit that leaves a whole part, such as "1.25 GB". */
export function formatBytes(bytes: number, i18n: I18n): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return i18n.number(bytes / 1_000 ** power, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumSignificantDigits: 3,
  })
}
