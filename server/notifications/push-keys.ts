import { createECDH } from 'node:crypto'
import { deriveKey } from '../text/signer.ts'

/** Keys by which push services recognize the site, in base64url. @see https://www.rfc-editor.org/rfc/rfc8292 */
export type PushKeys = ReturnType<typeof derivePushKeys>

/** Derives the keys from the secret of the site, so that all of its processes have the same, and a backup of the secret keeps them. */
export function derivePushKeys(secret: string) {
  const curve = createECDH('prime256v1')
  // All but one of four billion values are keys of the curve; OpenSSL rejects that one.
  curve.setPrivateKey(deriveKey(secret, 'web push'))
  return {
    publicKey: curve.getPublicKey().toString('base64url'),
    privateKey: curve.getPrivateKey().toString('base64url').padStart(43, 'A'),
  }
}
