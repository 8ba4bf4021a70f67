import type { TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc'
import type { FailureData } from '../../shared/errors.ts'

export interface TrpcErrorShape {
  readonly message: string
  /** JSON-RPC code of the error. */
  readonly code: TRPC_ERROR_CODE_NUMBER
  readonly data: FailureData
}
