import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { parsed, reject } from './variables.ts'

/** Algorithms of elliptic keys in C2PA, by the name of the curve. */
const curves: Readonly<Record<string, string>> = {
  prime256v1: 'es256',
  secp384r1: 'es384',
  secp521r1: 'es512',
}

/** What signs the images of the site; null: they are not signed. */
export type SigningConfig = NonNullable<z.output<typeof signingSection>>

function pem<Value>(parse: (text: string) => Value, what: string) {
  return parsed((text) => {
    try {
      // Environment files without multi-line values contain \n instead.
      return parse(text.replaceAll(String.raw`\n`, '\n'))
    } catch {
      return null
    }
  }, `must be ${what} in PEM format.`).optional()
}

export const signingSection = z
  .object({
    C2PA_CERTIFICATE: pem(
      (text) => ({ text, leaf: new X509Certificate(text) }),
      'a certificate, followed by those of its issuers,',
    ),
    C2PA_KEY: pem(createPrivateKey, 'a private key without a password'),
  })
  .transform(({ C2PA_CERTIFICATE: certificate, C2PA_KEY: key }, context) => {
    if (!certificate && !key) return null
    if (!certificate || !key) {
      const fix = 'signing images requires both. Set it, or remove the other one.'
      return reject(context, `is missing; ${fix}`, certificate ? 'C2PA_KEY' : 'C2PA_CERTIFICATE')
    }
    const algorithm = algorithmOf(key)
    if (algorithm === undefined || !certificate.leaf.checkPrivateKey(key)) {
      const kinds = 'EC (P-256, P-384 or P-521), Ed25519, or RSA of at least 2048 bits'
      return reject(context, `must be the key of the first certificate: ${kinds}.`, 'C2PA_KEY')
    }
    // The library accepts keys as PKCS #8 only.
    const pkcs8 = key.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { certificate: certificate.text, key: pkcs8, algorithm }
  })

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject) {
  if (type === 'rsa') return (details.modulusLength ?? 0) >= 2048 ? 'ps256' : undefined
  return type === 'ed25519' ? type : curves[details.namedCurve ?? '']
}
