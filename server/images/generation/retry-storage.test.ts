import { expect, test, vi } from 'vitest'
import { storageFull, storageUnavailable } from '../../errors/app-error.ts'
import { retryStorage } from './retry-storage.ts'

const waiting = (more: { patience?: number; signal?: AbortSignal } = {}) => ({
  patience: 60_000,
  signal: new AbortController().signal,
  failed: vi.fn<(fault: Error) => void>(),
  ...more,
})

test('retries until storage works, and reports the first error only', async () => {
  const faults = [storageFull('full'), storageUnavailable('gone', 30)]
  const options = waiting()
  const stored = await retryStorage(async () => {
    const fault = faults.shift()
    if (fault) throw fault
    return 'stored'
  }, options)
  expect(stored).toBe('stored')
  expect(options.failed).toHaveBeenCalledOnce()
  expect(options.failed.mock.calls[0]?.[0]).toMatchObject({ code: 'storage_full', cause: 'full' })
})

test('throws the error after the timeout', async () => {
  const attempt = vi.fn<() => Promise<never>>().mockRejectedValue(storageFull('full'))
  await expect(retryStorage(attempt, waiting({ patience: 600 }))).rejects.toMatchObject({
    code: 'storage_full',
  })
  expect(attempt.mock.calls.length).toBeGreaterThan(1)
})

test('throws other errors at once', async () => {
  const attempt = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('a mistake of ours'))
  await expect(retryStorage(attempt, waiting())).rejects.toThrow('a mistake of ours')
  expect(attempt).toHaveBeenCalledOnce()
})

test('throws the reason of its signal', async () => {
  const leaving = new AbortController()
  const stored = retryStorage(() => Promise.reject(storageFull('full')), waiting({ signal: leaving.signal }))
  leaving.abort(new Error('the server stops'))
  await expect(stored).rejects.toThrow('the server stops')
})
