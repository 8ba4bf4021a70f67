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
  '.',
  '..',
  '../..',
  'a/b',
  'a\\b',
  '/etc',
  'x'.repeat(22),
  'x'.repeat(5_000),
  '\0',
  '%2e%2e',
  '🪔',
]

/**
 * Contract test of a blob store.
 *
 * @param openStore opens an empty store, which is removed after the test
 */
export function testBlobStore(openStore: () => Promise<BlobStore>): void {
  describe('a blob store', () => {
    test('returns the bytes that were stored', async () => {
      const store = await openStore()
      const folder = await store.put(image('a lotus'))
      expect(Buffer.from((await store.read(folder, 'original.jpg')) ?? []).toString()).toBe('a lotus')
      expect(Buffer.from((await store.read(folder, '320.webp')) ?? []).toString()).toBe('a lotus, small')
    })

    test('streams a file of known size', async () => {
      const store = await openStore()
      const folder = await store.put({ 'original.jpg': Buffer.alloc(300_000, 'x') })
      const file = await store.open(folder, 'original.jpg')
      expect(file?.size).toBe(300_000)
      expect(file && (await readText(file.stream()))).toBe('x'.repeat(300_000))
    })

    test('adds and replaces a file', async () => {
      const store = await openStore()
      const folder = await store.put(image('a lotus'))
      for (const text of ['first', 'second, longer']) {
        expect(await store.add(folder, '640.webp', Buffer.from(text))).toBe(true)
        expect(Buffer.from((await store.read(folder, '640.webp')) ?? []).toString()).toBe(text)
      }
      expect(Buffer.from((await store.read(folder, 'original.jpg')) ?? []).toString()).toBe('a lotus')
    })

    test('does not add a file to a missing image', async () => {
      const store = await openStore()
      const folder = await store.put(image('a lotus'))
      await store.remove(folder)
      for (const name of [folder, ...strangeNames]) {
        expect(await store.add(name, '640.webp', Buffer.from('lost'))).toBe(false)
      }
      expect(await store.open(folder, '640.webp')).toBeNull()
    })

    test('stores the same bytes twice under unguessable names', async () => {
      const store = await openStore()
      const one = await store.put(image('same'))
      const other = await store.put(image('same'))
      expect(one).not.toBe(other)
      for (const name of [one, other]) expect(name).toMatch(/^[A-Za-z0-9_-]{22}$/)
      await store.remove(one)
      expect(await store.read(other, 'original.jpg')).not.toBeNull()
    })

    test('checks that it is writable without leaving files', async () => {
      const store = await openStore()
      await store.check()
      expect(await collect(store.olderThan(-1))).toEqual([])
    })

    test('stores an empty file', async () => {
      const store = await openStore()
      const folder = await store.put({ 'original.jpg': new Uint8Array() })
      expect(await store.open(folder, 'original.jpg')).toMatchObject({ size: 0 })
    })

    test('returns null for unknown names', async () => {
      const store = await openStore()
      const folder = await store.put(image('a lotus'))
      for (const name of strangeNames) {
        expect(await store.open(name, 'original.jpg')).toBeNull()
        expect(await store.read(name, 'original.jpg')).toBeNull()
        expect(await store.open(folder, name)).toBeNull()
        expect(await store.read(folder, name)).toBeNull()
      }
      expect(await store.read(folder, '640.webp')).toBeNull()
    })

    test('removes an image with all its files, also if called twice', async () => {
      const store = await openStore()
      const folder = await store.put(image('a lotus'))
      await store.remove(folder)
      await store.remove(folder)
      expect(await store.open(folder, 'original.jpg')).toBeNull()
      expect(await store.read(folder, '320.webp')).toBeNull()
    })

    test('ignores removals of unknown names', async () => {
      const store = await openStore()
      const folder = await store.put(image('a lotus'))
      for (const name of strangeNames) await store.remove(name)
      expect(await store.read(folder, 'original.jpg')).not.toBeNull()
    })

    test('lists the folders that have not changed for a time', async () => {
      const store = await openStore()
      const folders = [await store.put(image('one')), await store.put(image('two'))]
      expect(await collect(store.olderThan(60_000))).toEqual([])
      // A negative age, independent of the resolution of the clock.
      expect((await collect(store.olderThan(-60_000))).sort()).toEqual(folders.sort())
    })

    test('stores many images at the same time', async () => {
      const store = await openStore()
      const numbers = Array.from({ length: 20 }, (_, number) => String(number))
      const folders = await Promise.all(numbers.map((number) => store.put(image(number))))
      const read = await Promise.all(folders.map((folder) => store.read(folder, 'original.jpg')))
      expect(read.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(numbers)
    })
  })
}
