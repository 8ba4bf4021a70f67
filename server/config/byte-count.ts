import { z } from 'zod'

const units: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 }

/** A number of bytes, alone or in units of 1,024: `500M`, `20G`; `off` is none. */
export function byteCount(least: `${number}${'K' | 'M' | 'G' | 'T'}`) {
  const message = `must be off or a number of bytes such as 20G (K, M, G or T), at least ${least}.`
  return z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^(?:OFF|\d{1,12}[KMGT]?)$/, { error: message, abort: true })
    .transform((value) => (value === 'OFF' ? null : bytesOf(value)))
    .refine((value) => value === null || (value >= bytesOf(least) && Number.isSafeInteger(value)), message)
}

function bytesOf(value: string): number {
  return Number.parseInt(value, 10) * (units[value.slice(-1)] ?? 1)
}
