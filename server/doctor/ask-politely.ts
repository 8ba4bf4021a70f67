import { networkErrorOf } from '../engines/openai/network-error.ts'

/** What was answered, or why nothing was. */
export type Answer =
  | { readonly status: number; readonly body: unknown }
  /** The system's name of what went wrong, such as ECONNREFUSED, or `timeout`. */
  | { readonly fault: string }

/** Reads JSON from an address within `patience` milliseconds; a body that is none is undefined. Follows no redirect. */
export async function askPolitely(
  address: string,
  patience: number,
  headers: Record<string, string> = {},
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(address, { headers, signal, redirect: 'manual' })
    return { status: response.status, body: parse(await response.text()) }
  } catch (error) {
    return { fault: faultName(error) }
  }
}

/** The system's or our own short name of what kept an answer away. */
export function faultName(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
  return networkErrorOf(error)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
