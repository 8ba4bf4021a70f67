import { streamProbe } from '../../shared/stream-probe.ts'
import { openRequest } from '../engines/openai/open-request.ts'
import { faultName } from './fault-name.ts'

/** How the server's test stream arrived. */
export type StreamArrival =
  | {
      readonly status: number
      /** Where a redirect leads to. */
      readonly location: string | null
      /** How many proxies the server saw the request come through; null where it is not our server that answers. */
      readonly proxies: number | null
      /** At how many separate moments something of it arrived. */
      readonly moments: number
      /** Whether something on the way compressed it: the server does not. */
      readonly isCompressed: boolean
    }
  | { readonly fault: string }

/** How long all of it may take, in milliseconds. */
const usualPatience = 15_000

/** Has an address stream, as a browser would, and watches when what arrives. */
export async function watchStream(origin: string, patience = usualPatience): Promise<StreamArrival> {
  const signal = AbortSignal.timeout(patience)
  try {
    const incoming = await openRequest({
      url: new URL(streamProbe.path, origin),
      method: 'GET',
      headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'Rangoli' },
      signal,
    })
    let moments = 0
    let last = -Infinity
    for await (const _ of incoming) {
      const now = performance.now()
      if (now - last > streamProbe.interval / 2) moments += 1
      last = now
    }
    const proxies = incoming.headers[streamProbe.proxiesHeader.toLowerCase()]
    return {
      status: incoming.statusCode ?? 0,
      location: incoming.headers.location ?? null,
      proxies: typeof proxies === 'string' ? Number(proxies) : null,
      moments,
      isCompressed: incoming.headers['content-encoding'] !== undefined,
    }
  } catch (error) {
    return { fault: faultName(error, signal) }
  }
}
