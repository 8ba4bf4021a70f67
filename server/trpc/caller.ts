import type { inferRouterInputs } from '@trpc/server'
import type { RequestContext } from '../trpc/context.ts'
import { appRouter, type AppRouter } from './router.ts'

/** All procedures as functions, bound to one request. */
export type Caller = ReturnType<AppRouter['createCaller']>

export type RouterInputs = inferRouterInputs<AppRouter>

/** Creates a caller for the other transports and server-side rendering. */
export const createCaller = (context: RequestContext): Caller =>
  appRouter.createCaller(context, { signal: context.signal })
