import { expect, test, vi } from 'vitest'
import { storageFull, storageUnavailable } from '../errors/app-error.ts'
import { retryStorage } from './retry-storage.ts'

const createOptions = (more: { timeoutMs?: number; signal?: AbortSignal } = {}) => ({
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  onFirstError: vi.fn<(error: Error) => void>(),
  ...more,
})

test('retries until storage works, and reports only the first error', async () => {
  const errors = [storageFull('full'), storageUnavailable('gone', 30)]
  const options = createOptions()
  const stored = await retryStorage(async () => {
    const error = errors.shift()
    if (error) throw error
    return 'stored'
  }, options)
  expect(stored).toBe('stored')
  expect(options.onFirstError).toHaveBeenCalledOnce()
  expect(options.onFirstError.mock.calls[0]?.[0]).toMatchObject({ code: 'storage_full', cause: 'full' })
})

test('throws the error after the timeout', async () => {
  const attempt = vi.fn<() => Promise<never>>().mockRejectedValue(storageFull('full'))
  await expect(retryStorage(attempt, createOptions({ timeoutMs: 600 }))).rejects.toMatchObject({
    code: 'storage_full',
  })
  expect(attempt.mock.calls.length).toBeGreaterThan(1)
})

test('throws other errors immediately', async () => {
  const attempt = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('a bug'))
  await expect(retryStorage(attempt, createOptions())).rejects.toThrow('a bug')
  expect(attempt).toHaveBeenCalledOnce()
})

test('throws the abort reason of its signal', async () => {
  const controller = new AbortController()
  const stored = retryStorage(
    () => Promise.reject(storageFull('full')),
    createOptions({ signal: controller.signal }),
  )
  controller.abort(new Error('the server stops'))
  await expect(stored).rejects.toThrow('the server stops')
})
