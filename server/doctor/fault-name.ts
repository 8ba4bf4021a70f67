import { networkErrorOf } from '../engines/openai/network-error.ts'

/** What kept an answer away: the system's name for it, such as ECONNREFUSED, or that the time was up. */
export function faultName(error: unknown, time: AbortSignal): string {
  return time.aborted ? 'no answer in time' : networkErrorOf(error)
}
