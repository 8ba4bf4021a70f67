import { readCredentials } from '../auth/authenticator.ts'
import type { Services } from '../context.ts'
import type { RequestContext } from '../trpc/init.ts'

/** Builds what procedures know of a request; who sent it is found out once, and only if a procedure asks. */
export function createRequestContext(services: Services) {
  return (request: Request, { readsStreams }: { readsStreams: boolean }): RequestContext => {
    let viewer: ReturnType<RequestContext['viewer']> | undefined
    return {
      services,
      readsStreams,
      viewer: () => (viewer ??= services.authenticator.authenticate(readCredentials(request.headers))),
    }
  }
}
