import { createTRPCReact } from '@trpc/react-query'
import type { CreateTRPCReact } from '@trpc/react-query'
import type { AppRouter } from '../../server/trpc/router.ts'

/** The server's procedures as React hooks; the one transport from the client to the server. */
export const trpc: CreateTRPCReact<AppRouter, unknown> = createTRPCReact<AppRouter>()

/** The same procedures as plain calls, with the query cache beside them. */
export type Api = ReturnType<typeof trpc.useUtils>
