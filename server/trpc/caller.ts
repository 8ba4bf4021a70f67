import type { RequestContext } from './init.ts'
import { appRouter, type AppRouter } from './router.ts'

/** The procedures as plain functions, for one request. */
export type Caller = ReturnType<AppRouter['createCaller']>

/** Calls procedures in process, as the REST door and the page do. */
export const createCaller = (context: RequestContext): Caller => appRouter.createCaller(context)
