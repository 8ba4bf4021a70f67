/** Why a call failed; what a program may branch on, where the message is for people. */
export type ErrorCode =
  | 'bad_input'
  | 'prompt_blocked'
  | 'not_signed_in'
  | 'sign_in_unavailable'
  | 'forbidden'
  | 'not_found'
  | 'too_large'
  | 'rate_limited'
  | 'daily_limit'
  | 'upload_limit'
  | 'too_many_unfinished'
  | 'token_limit'
  | 'engine_failed'
  | 'queue_full'
  | 'busy'
  | 'storage_unavailable'
  | 'storage_full'
  | 'engine_timeout'
  | 'engine_out_of_credit'
  | 'engine_misconfigured'
  | 'engine_busy'
  | 'interrupted'
  | 'cancelled'
  | 'internal'

/** What a failed tRPC call carries in `data`, beside the sentence for people in `message`. */
export interface FailureData {
  /** tRPC's own name for the status. */
  readonly code: string
  readonly httpStatus: number
  /** Why it failed, more exactly than the status. */
  readonly reason: ErrorCode
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number
}

/** The sentences that the specification fixes, to the letter. */
export const messages = {
  promptMissing: 'Please provide a prompt',
  dailyLimit: 'You have reached your daily image limit.',
  shareIncomplete: 'Please enter a prompt and generate an image',
  generateFailed: 'Something went wrong!',
  shareFailed: 'Failed to share post',
  downloadFailed: 'could not download file',
} as const
