import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'
import { startLoopbackServer } from '../loopback-server.ts'

const keys = await generateKeyPair('RS256')
const otherKeys = await generateKeyPair('RS256')

export const scriptedClient = { clientId: 'rangoli', clientSecret: 'a secret' }

interface Script {
  /** Replaces parts of the discovery document; undefined removes them. */
  readonly metadata?: Record<string, unknown>
  readonly userInfo?: Record<string, unknown>
  readonly idToken?: string
  /** Status of every answer. */
  readonly status?: number
}

/** A provider that answers as the test says, for the duration of a test. */
export async function startScriptedProvider(script: Script = {}) {
  let answers = script
  const requests: { path: string; authorization: string | undefined; body: string }[] = []
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    requests.push({ path, authorization: request.headers.authorization, body: await text(request) })
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { ...metadata, ...answers.metadata },
      '/jwks': { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'known', alg: 'RS256', use: 'sig' }] },
      '/token': { token_type: 'Bearer', access_token: 'access', id_token: answers.idToken },
      '/userinfo': answers.userInfo,
    }
    const document = documents[path]
    response.statusCode = answers.status ?? (document === undefined ? 404 : 200)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document ?? {}))
  }
  const { origin: issuer, stop } = await startLoopbackServer(respond)
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/logout`,
  }
  onTestFinished(stop)

  /** Signs an ID token; `claims` replaces those of a valid one, and undefined removes them. */
  function idToken(claims: Record<string, unknown> = {}, { isForged = false } = {}): Promise<string> {
    const payload = {
      iss: issuer,
      aud: scriptedClient.clientId,
      sub: 'asha',
      nonce: 'nonce',
      iat: Math.floor(Date.now() / 1_000),
      exp: Math.floor(Date.now() / 1_000) + 300,
      ...claims,
    }
    const { privateKey } = isForged ? otherKeys : keys
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'known' }).sign(privateKey)
  }

  return {
    issuer,
    requests,
    idToken,
    answer: (next: Script) => void (answers = next),
    stop,
  }
}
