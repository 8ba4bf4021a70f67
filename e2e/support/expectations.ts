import { expect } from 'vitest'
import type { TestPage } from './browser.ts'

/** Polls a value for up to 10 seconds: `await eventually(() => …).toBe(…)`. */
export function eventually<Value>(
  read: () => Value | Promise<Value>,
): ReturnType<typeof expect.poll<Value | Promise<Value>>> {
  return expect.poll(read, { timeout: 10_000, interval: 50 })
}

/** Waits for an alert and accepts it as expected. Any other alert fails the test at its end. */
export async function expectAlert(tab: TestPage, text: string | RegExp): Promise<void> {
  await eventually(() => tab.alerts.length).toBeGreaterThan(0)
  const [alert] = tab.alerts.splice(0, 1)
  expect(alert).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
}

/** Waits for an error of the page that matches, and accepts all that match as expected. */
export async function expectPageErrors(tab: TestPage, pattern: RegExp): Promise<void> {
  tab.expectedErrors.push(pattern)
  await eventually(() => tab.errors.some((error) => pattern.test(error))).toBe(true)
}

/** Errors of a page that match no expected pattern. */
export function unexpectedPageErrors({ errors, expectedErrors }: TestPage): string[] {
  return errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)))
}
