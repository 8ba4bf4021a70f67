import type { RequestContext } from './init.ts'
import { appRouter, type AppRouter } from './router.ts'

/** The procedures as plain functions, for one request. */
export type Caller = ReturnType<AppRouter['createCaller']>

/** Calls procedures in process, as REST and the pages do, until `signal` says that the client has left. */
export const createCaller = (context: RequestContext, signal: AbortSignal): Caller =>
  appRouter.createCaller(context, { signal })
