import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { readCredentials } from '../auth/authenticator.ts'
import type { Services } from '../services.ts'
import type { RequestContext } from '../trpc/init.ts'
import { requestFieldsOf } from './middleware/request-log.ts'

/** Makes what procedures know of a request. */
export type RequestContextOf = ReturnType<typeof createRequestContext>

/** Builds what procedures know of a request; who sent it is found out once, and only if a procedure asks. */
export function createRequestContext(services: Services, clientNetwork: (c: Context) => string) {
  return (c: Context, { readsStreams }: { readsStreams: boolean }): RequestContext => {
    let asked: ReturnType<RequestContext['identity']> | undefined
    const { outgoing } = c.env as HttpBindings
    const work = services.workInProgress.begin(clientNetwork(c))
    if (outgoing.closed) work.end()
    else outgoing.once('close', work.end)
    const identity = () => (asked ??= services.authenticator.authenticate(readCredentials(c.req.raw.headers)))
    return {
      services,
      readsStreams,
      work,
      requestFields: () => requestFieldsOf(c),
      clientNetwork: () => clientNetwork(c),
      identity,
      viewer: async () => (await identity())?.viewer ?? null,
    }
  }
}
