import { expect, test } from 'vitest'
import { keyBucket } from './key-bucket.ts'

test('maps any number of keys to a bounded number', () => {
  const buckets = new Set(Array.from({ length: 200_000 }, (_, index) => keyBucket('secret', `key ${index}`)))
  expect(buckets.size).toBeGreaterThan(60_000)
  expect(buckets.size).toBeLessThanOrEqual(65_536)
})

test('depends on the secret, on every part and on where each ends', () => {
  const buckets = [
    keyBucket('secret', 'ab', 'c'),
    keyBucket('secret', 'a', 'bc'),
    keyBucket('secret', 'abc'),
    keyBucket('another secret', 'ab', 'c'),
  ]
  expect(new Set(buckets).size).toBe(buckets.length)
  expect(keyBucket('secret', 'ab', 'c')).toBe(buckets[0])
})
