import type { ErrorCode } from '../../../shared/errors.ts'

/** How a generation can fail at this engine. */
export type FaultCode = Extract<ErrorCode, `engine_${string}` | 'prompt_blocked'>

/**
 * What the log is told of a failure. Its message and fields are our own words and picked identifiers, never a
 * provider's or an SDK's own text, as that may hold a key or a prompt.
 */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
  readonly code: FaultCode
  readonly facts: FaultFacts

  constructor(code: FaultCode, message: string, facts: FaultFacts = {}) {
    super(message)
    this.code = code
    this.facts = facts
  }
}

/** What is known of a failed request. */
export interface FaultFacts {
  readonly status?: number | undefined
  /** The provider's own names for what went wrong. */
  readonly providerCode?: string | undefined
  readonly providerType?: string | undefined
  readonly param?: string | undefined
  /** Whether moderation stopped the prompt ('input') or the picture ('output'). */
  readonly moderationStage?: string | undefined
  readonly requestId?: string | undefined
  /** The system's name for a network error, such as ECONNRESET. */
  readonly networkError?: string | undefined
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfter?: number | undefined
}
