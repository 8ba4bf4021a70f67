import { openRequest } from '../engines/openai/open-request.ts'
import { faultName } from './fault-name.ts'
import { note, ok, type Finding } from './finding.ts'

const patience = 5_000

/** Whether who types the address without https ends up there all the same. */
export async function checkHttps(publicOrigin: string): Promise<Finding[]> {
  const url = new URL(publicOrigin)
  // Of another port nobody knows where http would be.
  if (url.protocol !== 'https:' || url.port !== '') return []
  url.protocol = 'http:'
  return [await checkRedirect(url, publicOrigin)]
}

/** Whether an address redirects to the public one. */
export async function checkRedirect(url: URL, publicOrigin: string): Promise<Finding> {
  const signal = AbortSignal.timeout(patience)
  try {
    const incoming = await openRequest({
      url,
      method: 'GET',
      headers: { 'user-agent': 'Rangoli' },
      signal,
    })
    incoming.destroy()
    const { statusCode: status = 0 } = incoming
    const { location = '' } = incoming.headers
    if (status >= 300 && status < 400 && location.startsWith(`${publicOrigin}/`)) {
      return ok(`${url.origin} redirects there.`)
    }
    return note(
      `${url.origin} answers ${status} and does not redirect to ${publicOrigin}.`,
      'Have the proxy redirect http to https.',
    )
  } catch (error) {
    return ok(
      `Nothing answers at ${url.origin} (${faultName(error, signal)}): the site is there by https only.`,
    )
  }
}
