import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCertificate } from '../../test/support/c2pa.ts'
import { ConfigError, parseConfig } from './config.ts'
import { describeUnlessMissing, missingPrograms } from '../../test/support/programs.ts'

function issueOf(env: Record<string, string>): string {
  try {
    parseConfig(env, '/srv')
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

describeUnlessMissing('C2PA_CERTIFICATE and C2PA_KEY', missingPrograms(['openssl']), () => {
  test('reads certificate and key, whose line breaks may be written as \\n', async () => {
    const texts = await createCertificate('secp384r1')
    const expected = { certificate: texts.C2PA_CERTIFICATE, algorithm: 'es384' }
    expect(parseConfig({}, '/srv').signing).toBeNull()
    expect(parseConfig(texts, '/srv').signing).toMatchObject(expected)
    const inOneLine = Object.entries(texts).map(([name, text]) => [
      name,
      text.replaceAll('\n', String.raw`\n`),
    ])
    expect(parseConfig(Object.fromEntries(inOneLine), '/srv').signing).toMatchObject(expected)
  })

  test('rejects one without the other, a key of another certificate, and what is neither, without repeating it', async () => {
    const texts = await createCertificate()
    const other = await createCertificate()
    const { C2PA_CERTIFICATE, C2PA_KEY } = texts
    expect(issueOf({ C2PA_CERTIFICATE })).toMatch(/^C2PA_KEY: is missing; /)
    for (const env of [{ C2PA_KEY }, { C2PA_TIMESTAMP_URL: 'http://time.example.org' }])
      expect(issueOf(env)).toMatch(/^C2PA_CERTIFICATE: is missing; /)
    expect(issueOf({ ...texts, C2PA_KEY: other.C2PA_KEY })).toMatch(/^C2PA_KEY: must be the key of /)
    const { privateKey } = generateKeyPairSync('x25519')
    const x25519 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(issueOf({ ...texts, C2PA_KEY: x25519 })).toMatch(/^C2PA_KEY: must be the key of /)
    for (const name of ['C2PA_CERTIFICATE', 'C2PA_KEY'])
      for (const value of ['hush', '-----BEGIN CERTIFICATE-----\nhush'])
        expect(issueOf({ ...texts, [name]: value })).toMatch(
          new RegExp(`^${name}: must be a [^:]* in PEM format\\.$`),
        )
  })
})
