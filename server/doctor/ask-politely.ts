import { faultName } from './fault-name.ts'

/** What was answered, or why nothing was. */
export type Answer = { readonly status: number; readonly body: unknown } | { readonly fault: string }

/** Reads JSON from an address within `patience` milliseconds; a body that is none is undefined. Follows no redirect. */
export async function askPolitely(
  address: string,
  patience: number,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const signal = AbortSignal.timeout(patience)
  try {
    const response = await fetch(address, { headers, signal, redirect: 'manual' })
    return { status: response.status, body: parse(await response.text()) }
  } catch (error) {
    return { fault: faultName(error, signal) }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
