import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

const quotaOf = (value: string) => parseConfig({ UPLOADS_MAX_BYTES: value }, '/srv/rangoli').uploadsMaxBytes

test('the uploads folder has no quota unless one is set', () => {
  expect(parseConfig({}, '/srv/rangoli').uploadsMaxBytes).toBeNull()
  for (const value of ['off', 'OFF', ' ']) expect(quotaOf(value)).toBeNull()
})

test.each([
  ['1048576', 1024 * 1024],
  ['500M', 500 * 1024 * 1024],
  [' 500m ', 500 * 1024 * 1024],
  ['70000K', 70_000 * 1024],
  ['20G', 20 * 1024 ** 3],
  ['2T', 2 * 1024 ** 4],
])('a quota of %s is %i bytes', (value, bytes) => {
  expect(quotaOf(value)).toBe(bytes)
})

test.each(['0', '-1', '1.5G', '20 G', '20GB', '20GiB', 'G', 'none', '1e9', '1023K', '99999999999T'])(
  'a quota of %s is refused in one line',
  (value) => {
    let refusal: unknown
    try {
      quotaOf(value)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(ConfigError)
    expect(refusal).toMatchObject({
      faults: [
        'UPLOADS_MAX_BYTES: must be off or a number of bytes such as 20G (K, M, G or T), at least 1M.',
      ],
    })
  },
)
