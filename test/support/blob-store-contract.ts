import { text as readText } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import type { BlobStore } from '../../server/storage/blob-store.ts'

const image = (text: string) => ({
  'original.jpg': Buffer.from(text),
  '320.webp': Buffer.from(`${text}, small`),
})

/** Collects the names that a store lists. */
export async function collect(listed: AsyncIterable<{ readonly name: string }>): Promise<string[]> {
  const found: string[] = []
  for await (const { name } of listed) found.push(name)
  return found
}

/** Names that `put` never returns. */
const strangeNames = [
  '',
  ...'. .. ../.. a/b a\\b /etc \0 %2e%2e 🪔'.split(' '),
  'x'.repeat(22),
  'x'.repeat(5_000),
]

/** Error of a store whose limit is reached. */
export const full = {
  code: 'storage_full',
  cause: { message: expect.stringContaining('UPLOADS_MAX_BYTES') },
}

/** Files of an image of a size in bytes. */
export const imageOf = (bytes: number) => ({ 'original.jpg': Buffer.alloc(bytes, 'x') })

async function textOf(store: BlobStore, folder: string, file = 'original.jpg'): Promise<string | null> {
  const bytes = await store.read(folder, file)
  return bytes && Buffer.from(bytes).toString()
}

/**
 * Contract test of a blob store.
 *
 * @param openStore opens an empty store, which is removed after the test
 */
export function testBlobStore(openStore: (maxBytes: number | null) => Promise<BlobStore>): void {
  describe('a blob store', () => {
    test('returns and streams what was stored, under unguessable names', async () => {
      const store = await openStore(null)
      const [folder, other] = [await store.put(image('a lotus')), await store.put(image('a lotus'))]
      expect(folder).not.toBe(other)
      for (const name of [folder, other]) {
        expect(name).toMatch(/^[A-Za-z0-9_-]{22}$/)
        expect(await textOf(store, name)).toBe('a lotus')
        expect(await textOf(store, name, '320.webp')).toBe('a lotus, small')
      }
      const large = await store.put(imageOf(300_000))
      const file = await store.open(large, 'original.jpg')
      expect(file?.size).toBe(300_000)
      expect(file && (await readText(file.stream()))).toBe('x'.repeat(300_000))
      const empty = await store.put(imageOf(0))
      expect(await store.open(empty, 'original.jpg')).toMatchObject({ size: 0 })
    })

    test('adds and replaces a file of an image that exists', async () => {
      const store = await openStore(null)
      const folder = await store.put(image('a lotus'))
      for (const text of ['first', 'second, longer']) {
        expect(await store.add(folder, '640.webp', Buffer.from(text))).toBe(true)
        expect(await textOf(store, folder, '640.webp')).toBe(text)
      }
      expect(await textOf(store, folder)).toBe('a lotus')
      await store.remove(folder)
      for (const name of [folder, ...strangeNames])
        expect(await store.add(name, '640.webp', Buffer.from('lost'))).toBe(false)
      expect(await store.open(folder, '640.webp')).toBeNull()
    })

    test('checks that it is writable without leaving files', async () => {
      const store = await openStore(null)
      await store.check()
      expect(await collect(store.olderThan(-1))).toEqual([])
    })

    test('finds and removes nothing under unknown names', async () => {
      const store = await openStore(null)
      const folder = await store.put(image('a lotus'))
      for (const name of strangeNames) {
        for (const [first, second] of [
          [name, 'original.jpg'],
          [folder, name],
        ] as const) {
          expect(await store.open(first, second)).toBeNull()
          expect(await store.read(first, second)).toBeNull()
          expect(await store.size(first, second)).toBeNull()
        }
        await store.remove(name)
      }
      expect(await store.read(folder, '640.webp')).toBeNull()
      expect(await textOf(store, folder)).toBe('a lotus')
    })

    test('removes an image with all its files, also if called twice, and no other', async () => {
      const store = await openStore(null)
      const [folder, other] = [await store.put(image('a lotus')), await store.put(image('a lotus'))]
      for (let time = 0; time < 2; time += 1) await store.remove(folder)
      expect(await store.open(folder, 'original.jpg')).toBeNull()
      expect(await store.read(folder, '320.webp')).toBeNull()
      expect(await textOf(store, other)).toBe('a lotus')
    })

    test('stores many images at the same time, and lists those that have not changed for a time', async () => {
      const store = await openStore(null)
      const numbers = Array.from({ length: 20 }, (_, number) => String(number))
      const folders = await Promise.all(numbers.map((number) => store.put(image(number))))
      expect(await Promise.all(folders.map((folder) => textOf(store, folder)))).toEqual(numbers)
      expect(await collect(store.olderThan(60_000))).toEqual([])
      // A negative age, independent of the resolution of the clock.
      expect((await collect(store.olderThan(-60_000))).sort()).toEqual(folders.sort())
    })

    test('admits simultaneous writes up to the last byte of its limit, and again once an image is removed', async () => {
      const store = await openStore(1_000)
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => store.put(imageOf(100))))
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject(full)
      const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      expect(stored).toHaveLength(10)
      expect([await store.bytes(), await store.freeBytes()]).toEqual([1_000, 0])
      const [folder = '', other = ''] = stored
      await expect(store.add(other, '320.webp', Buffer.alloc(1))).rejects.toMatchObject(full)
      // Subtracted once.
      await Promise.all([1, 2, 3].map(() => store.remove(folder)))
      await store.add(other, '320.webp', Buffer.alloc(40))
      await store.add(other, '320.webp', Buffer.alloc(50))
      await store.put(imageOf(50))
      await expect(store.put(imageOf(1))).rejects.toMatchObject(full)
    })

    test('keeps reserved space for the write that it was reserved for until it is released', async () => {
      const store = await openStore(1_000)
      const reservation = await store.reserve(700)
      await expect(store.reserve(301)).rejects.toMatchObject(full)
      await expect(store.put(imageOf(301))).rejects.toMatchObject(full)
      await store.put(imageOf(300))
      await store.put(imageOf(700), reservation)
      await reservation.release()
      await expect(store.put(imageOf(1))).rejects.toMatchObject(full)
    })
  })
}
