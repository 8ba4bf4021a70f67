import type { TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc'
import type { FailureData } from '../../shared/errors.ts'

/** A failed call as tRPC sends it. */
export interface TrpcErrorShape {
  readonly message: string
  /** JSON-RPC's number for what `data.code` names. */
  readonly code: TRPC_ERROR_CODE_NUMBER
  readonly data: FailureData
}
