import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ErrorCode } from '../../../shared/errors.ts'

const labels: Readonly<Partial<Record<ErrorCode, MessageDescriptor>>> = {
  prompt_blocked: msg`Prompt not allowed by the image service`,
  bad_input: msg`Settings not accepted by the engine`,
  engine_failed: msg`Error of the engine`,
  engine_misconfigured: msg`Engine not set up correctly`,
  engine_out_of_credit: msg`Out of credit`,
  engine_out_of_memory: msg`Too little memory`,
  engine_unavailable: msg`Engine not reached`,
  engine_busy: msg`Engine busy`,
  engine_timeout: msg`Time limit exceeded`,
  interrupted: msg`Server stopped meanwhile`,
  storage_unavailable: msg`Storage not available`,
  storage_full: msg`Storage full`,
}

/** Returns the reason for a failed generation, in the terms of those who run the site. */
export function failureLabel(code: ErrorCode): MessageDescriptor {
  return labels[code] ?? msg`Unexpected error: see the log of the server`
}
