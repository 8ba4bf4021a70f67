import { expect, test } from 'vitest'
import { SearchQueue } from './search-queue.ts'

/** Searches that end when the test finishes them. */
function startSearches(queue: SearchQueue) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const search = (name: string, network = 'here', signal?: AbortSignal) =>
    queue.run(network, signal, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    })
  return { begun, search, end: (name: string) => ends.get(name)?.() }
}

test('runs a limited number of searches per network, first in, first out', async () => {
  const queue = new SearchQueue({ running: 2, waiting: 10 })
  const { begun, search, end } = startSearches(queue)
  const results = ['a', 'b', 'c', 'd'].map((name) => search(name))
  const elsewhere = search('e', 'elsewhere')
  expect(begun).toEqual(['a', 'b', 'e'])
  expect(queue.load).toEqual({ running: 3, waiting: 2 })
  end('b')
  expect(await results[1]).toBe('b')
  await expect.poll(() => begun).toEqual(['a', 'b', 'e', 'c'])
  for (const name of ['a', 'c', 'e']) end(name)
  await elsewhere
  expect(await results[2]).toBe('c')
  end('d')
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd'])
  expect(queue.load).toEqual({ running: 0, waiting: 0 })
})

test('rejects a search if too many of its network wait, without those that were abandoned', async () => {
  const queue = new SearchQueue({ running: 1, waiting: 1 })
  const { begun, search, end } = startSearches(queue)
  const leaving = new AbortController()
  const [first, left] = [search('a'), search('b', 'here', leaving.signal)]
  leaving.abort('gone')
  const next = search('c')
  await expect(search('e')).rejects.toMatchObject({ code: 'busy', retryAfter: 2 })
  end('a')
  await first
  await expect(left).rejects.toMatchObject({ code: 'canceled' })
  await expect(search('d', 'here', leaving.signal)).rejects.toMatchObject({ code: 'canceled' })
  await expect.poll(() => begun).toEqual(['a', 'c'])
  end('c')
  await next
  expect(begun).toEqual(['a', 'c'])
  expect(queue.load).toEqual({ running: 0, waiting: 0 })
})

test('starts the next search after one has failed', async () => {
  const queue = new SearchQueue({ running: 1, waiting: 1 })
  const { begun, search, end } = startSearches(queue)
  const failing = queue.run('here', undefined, () => Promise.reject(new Error('The disk is gone.')))
  const next = search('a')
  await expect(failing).rejects.toThrow('The disk is gone.')
  await expect.poll(() => queue.load).toEqual({ running: 1, waiting: 0 })
  await expect.poll(() => begun).toEqual(['a'])
  end('a')
  expect(await next).toBe('a')
  expect(queue.load).toEqual({ running: 0, waiting: 0 })
})
