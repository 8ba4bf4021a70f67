import type { ApiKeyScope } from '../../shared/account.ts'
import type { TrpcErrorShape } from '../errors/trpc-error-shape.ts'

export interface ProcedureMeta {
  /** Message for unexpected errors, if the specification has one for this procedure. */
  readonly failure?: string
  /** An API key needs one of these scopes. By default `read` for a query or subscription, and every scope for a mutation. */
  readonly scopes?: readonly ApiKeyScope[]
  /** Key in `costs`, `call` by default. */
  readonly cost?: 'export'
}

/**
 * Root type of the routers without the context, whose type would add the database and all other services to the contract
 * for clients.
 */
export interface PublicRoot {
  readonly ctx: object
  readonly meta: ProcedureMeta
  readonly errorShape: TrpcErrorShape
  readonly transformer: false
}
