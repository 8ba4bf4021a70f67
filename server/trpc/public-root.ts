import type { TrpcErrorShape } from '../errors/failed-call.ts'

export interface ProcedureMeta {
  /** The sentence for a failure that we can't explain, where the specification has one of its own. */
  readonly failure?: string
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
