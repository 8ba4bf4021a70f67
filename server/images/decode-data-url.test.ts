import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uploadMaxBytes } from '../../shared/limits.ts'
import { AppError } from '../errors/app-error.ts'
import { tries } from '../../test/fuzz/seed.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { decodeDataUrl } from './upload-image.ts'

const someBytes = fc.uint8Array({ minLength: 1, maxLength: 400 })
const type = fc.constantFrom(
  'image/jpeg',
  'image/png',
  'IMAGE/WEBP',
  'text/html',
  '',
  'image/jpeg;charset=utf-8',
)

test('decodes any bytes from their data URL', () => {
  fc.assert(
    fc.property(someBytes, type, fc.boolean(), (bytes, mime, padded) => {
      const base64 = Buffer.from(bytes).toString('base64')
      const url = `data:${mime};base64,${padded ? base64 : base64.replaceAll('=', '')}`
      expect(Buffer.from(decodeDataUrl(url))).toEqual(Buffer.from(bytes))
    }),
    tries(500),
  )
})

const alphabet = Array.from('ABYZabyz0189+/=-_ \n%é🪔\ud800\0')
const nearlyBase64 = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 24 })

describe('for any other text, decodeDataUrl', () => {
  test('accepts exactly the base64 of RFC 4648 after the comma', () => {
    fc.assert(
      fc.property(nearlyBase64, (encoded) => {
        const isBase64 =
          encoded !== '' &&
          /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(encoded)
        const decode = () => decodeDataUrl(`data:image/jpeg;base64,${encoded}`)
        if (isBase64) expect(Buffer.from(decode())).toEqual(Buffer.from(encoded, 'base64'))
        else expect(decode).toThrow(new AppError('bad_input', 'The photo is not valid base64.'))
      }),
      tries(3_000),
    )
  })

  test('throws an error with a message for users', () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string().map((text) => `data:${text}`),
    )
    fc.assert(
      fc.property(anything, (text) => {
        try {
          decodeDataUrl(text)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          expect(error.code).toBe('bad_input')
        }
      }),
      tries(1_000),
    )
  })
})

test.each([
  [uploadMaxBytes - 1, true],
  [uploadMaxBytes, true],
  [uploadMaxBytes + 1, false],
  [uploadMaxBytes + 2, false],
  [uploadMaxBytes + 3, false],
])('accepts a photo of %i bytes: %s', (size, isTaken) => {
  const url = `data:image/jpeg;base64,${Buffer.alloc(size).toString('base64')}`
  if (isTaken) expect(decodeDataUrl(url)).toHaveLength(size)
  else expect(() => decodeDataUrl(url)).toThrow('The photo has more than 20 MB.')
})
