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
  /** Message for unexpected errors, if the specification has one for this procedure. */
  readonly failure?: string
  /** Key of its work in `costs`; a plain call by default. */
  readonly cost?: 'export'
}

/**
 * Root type of the routers. The context is left out: with it, the type of a router would include the database and every
 * other service, which clients have no use for.
 */
export interface PublicRoot {
  readonly ctx: object
  readonly meta: ProcedureMeta
  readonly errorShape: TrpcErrorShape
  readonly transformer: false
}
