import { text } from 'node:stream/consumers'
import { openRequest } from '../engines/openai/open-request.ts'
import { faultName } from './fault-name.ts'
import { note, ok, problem, type Finding } from './finding.ts'

const patience = 10_000

/**
 * Writes as a browser with a cookie does, but as nobody: the server refuses it either because nobody is signed in,
 * or before that because it takes the public address for another site.
 */
export async function checkOrigin(publicOrigin: string): Promise<Finding> {
  const signal = AbortSignal.timeout(patience)
  try {
    const incoming = await openRequest({
      url: new URL('/api/v1/post', publicOrigin),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: 'rangoli-doctor=1',
        origin: publicOrigin,
        'user-agent': 'Rangoli',
      },
      body: '{}',
      signal,
    })
    await text(incoming)
    if (incoming.statusCode === 401) return ok('The server takes that address for its own.')
    if (incoming.statusCode !== 403)
      return note(`A write from that address was answered ${incoming.statusCode}.`)
    return problem(
      `The server takes ${publicOrigin} for another site: nobody can sign in or write.`,
      'Restart it with this PUBLIC_URL, and have the proxy pass Host and Origin on as they are.',
    )
  } catch (error) {
    return note(`A write to ${publicOrigin} was not answered (${faultName(error, signal)}).`)
  }
}
