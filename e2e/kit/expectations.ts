import { expect } from 'vitest'
import type { WatchedPage } from './browser.ts'

/** Expects what comes true within some seconds: `await eventually(() => …).toBe(…)`. */
export function eventually<Value>(read: () => Value | Promise<Value>): ReturnType<typeof expect.poll<Value | Promise<Value>>> {
  return expect.poll(read, { timeout: 10_000, interval: 50 })
}

/** Waits for the one alert that a step causes, and takes it; one alert more fails the test at its end. */
export async function expectAlert(tab: WatchedPage, text: string | RegExp): Promise<void> {
  await eventually(() => tab.alerts.length).toBeGreaterThan(0)
  const [alert] = tab.alerts.splice(0, 1)
  expect(alert).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
}

/** Waits for complaints that a step causes on purpose, and takes all that match. */
export async function expectComplaints(tab: WatchedPage, pattern: RegExp): Promise<void> {
  const matching = () => tab.complaints.filter((complaint) => pattern.test(complaint))
  await eventually(() => matching().length).toBeGreaterThan(0)
  const others = tab.complaints.filter((complaint) => !pattern.test(complaint))
  tab.complaints.splice(0, tab.complaints.length, ...others)
}
