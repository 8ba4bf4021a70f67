import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { parsed, pem, reject, requireTogether, webUrlOf } from './variables.ts'

/** Algorithms of elliptic keys in C2PA, by the name of the curve. */
const curves: Readonly<Record<string, string>> = {
  prime256v1: 'es256',
  secp384r1: 'es384',
  secp521r1: 'es512',
}

/** What signs the images of the site; null: they are not signed. */
export type SigningConfig = NonNullable<z.output<typeof signingSection>>

export const signingSection = z
  .object({
    C2PA_CERTIFICATE: pem(
      (text) => ({ text, leaf: new X509Certificate(text) }),
      'a certificate, followed by those of its issuers,',
    ).optional(),
    C2PA_KEY: pem(createPrivateKey, 'a private key without a password').optional(),
    C2PA_TIMESTAMP_URL: parsed(webUrlOf, 'must be an http or https URL.').optional(),
  })
  .transform((values, context) => {
    requireTogether(values, ['C2PA_CERTIFICATE', 'C2PA_KEY'], context, { optional: ['C2PA_TIMESTAMP_URL'] })
    const { C2PA_CERTIFICATE: certificate, C2PA_KEY: key, C2PA_TIMESTAMP_URL: timestampUrl } = values
    if (!certificate || !key) return null
    const algorithm = algorithmOf(key)
    if (algorithm === undefined || !certificate.leaf.checkPrivateKey(key)) {
      const kinds = 'EC (P-256, P-384 or P-521), Ed25519, or RSA of at least 2048 bits'
      return reject(context, `must be the key of the first certificate: ${kinds}.`, 'C2PA_KEY')
    }
    // The library accepts keys as PKCS #8 only.
    const pkcs8 = key.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { certificate: certificate.text, key: pkcs8, algorithm, timestampUrl: timestampUrl?.href }
  })

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject) {
  if (type === 'rsa') return (details.modulusLength ?? 0) >= 2048 ? 'ps256' : undefined
  return type === 'ed25519' ? type : curves[details.namedCurve ?? '']
}
