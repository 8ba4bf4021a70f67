import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import type { ErrorDescription } from './describe-error.ts'
import type { TrpcErrorShape } from './failed-call.ts'

const codeOfStatus = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
  // tRPC has no code for a full disk; the status says it.
  507: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorDescription['status'], keyof typeof TRPC_ERROR_CODES_BY_KEY>

/** A failure as tRPC clients read it, with our own `reason` beside tRPC's code. */
export function trpcErrorShape({ reason, status, message, retryAfter }: ErrorDescription): TrpcErrorShape {
  const code = codeOfStatus[status]
  return {
    message,
    code: TRPC_ERROR_CODES_BY_KEY[code],
    data: { code, httpStatus: status, reason, ...(retryAfter !== undefined && { retryAfter }) },
  }
}
