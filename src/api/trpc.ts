import { createTRPCReact, type CreateTRPCReact } from '@trpc/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/trpc/router.ts'

/** The server's procedures as React hooks. */
export const trpc: CreateTRPCReact<AppRouter, unknown> = createTRPCReact<AppRouter>()

/** Inputs of the procedures, by their names, and their outputs. */
export type RouterInputs = inferRouterInputs<AppRouter>
export type RouterOutputs = inferRouterOutputs<AppRouter>

/** The same procedures as plain calls, and the query cache. */
export type Api = ReturnType<typeof trpc.useUtils>
