import { generateKeyPairSync, sign } from 'node:crypto'

/** The key that signs an instance's session tokens. */
export interface SigningKey {
  /** Public key, the value of CLERK_JWT_KEY. */
  readonly pem: string
  sign(claims: object): string
}

export function makeSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  return {
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign(claims) {
      const signed = `${encode({ alg: 'RS256', kid: 'ins_fake', typ: 'JWT' })}.${encode(claims)}`
      return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}
