import type { TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc'
import type { FailureData } from '../../shared/errors.ts'

/** A failed call as tRPC sends it. */
export interface TrpcErrorShape {
  readonly message: string
  /** JSON-RPC's number for `data.code`. */
  readonly code: TRPC_ERROR_CODE_NUMBER
  readonly data: FailureData
}

export interface ProcedureMeta {
  /** The sentence for a failure that we can't explain, where the specification has one of its own. */
  readonly failure?: string
  /** What a call costs, where that is more than any other. */
  readonly cost?: 'export'
}

/**
 * What a router's type says beside its procedures. The context is left out, or the type of a router would bring along
 * that of the database and of everything else; whoever calls from outside has no use for it.
 */
export interface PublicRoot {
  readonly ctx: object
  readonly meta: ProcedureMeta
  readonly errorShape: TrpcErrorShape
  readonly transformer: false
}
