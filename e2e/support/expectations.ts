import { expect } from 'vitest'
import type { WatchedPage } from './browser.ts'

/** Expects what comes true within some seconds: `await eventually(() => …).toBe(…)`. */
export function eventually<Value>(
  read: () => Value | Promise<Value>,
): ReturnType<typeof expect.poll<Value | Promise<Value>>> {
  return expect.poll(read, { timeout: 10_000, interval: 50 })
}

/** Waits for the one alert that a step causes, and takes it; one alert more fails the test at its end. */
export async function expectAlert(tab: WatchedPage, text: string | RegExp): Promise<void> {
  await eventually(() => tab.alerts.length).toBeGreaterThan(0)
  const [alert] = tab.alerts.splice(0, 1)
  expect(alert).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
}

/** Waits for the first complaint that a step causes on purpose; more like it are expected too. */
export async function expectComplaints(tab: WatchedPage, pattern: RegExp): Promise<void> {
  tab.expected.push(pattern)
  await eventually(() => tab.complaints.some((complaint) => pattern.test(complaint))).toBe(true)
}

/** What a page complained about though nobody expected it. */
export function unexpectedComplaints({ complaints, expected }: WatchedPage): string[] {
  return complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint)))
}
