import type { inferRouterInputs } from '@trpc/server'
import type { RequestContext } from '../trpc/context.ts'
import { appRouter, type AppRouter } from './router.ts'

/** All procedures as functions, bound to one request. */
export type Caller = ReturnType<AppRouter['createCaller']>

export type RouterInputs = inferRouterInputs<AppRouter>

/** Creates a caller for REST and server-side rendering. `signal` is aborted when the client disconnects. */
export const createCaller = (context: RequestContext, signal: AbortSignal): Caller =>
  appRouter.createCaller(context, { signal })
