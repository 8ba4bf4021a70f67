import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ErrorCode } from '../../../shared/errors.ts'

const reasons: Partial<Record<ErrorCode, MessageDescriptor>> = {
  prompt_blocked: msg`Not made: the image service does not take these words.`,
  engine_timeout: msg`Not made: it took too long.`,
  engine_out_of_credit: msg`Not made: the image service was out of credit.`,
  engine_misconfigured: msg`Not made: the image service is not set up correctly.`,
  engine_out_of_memory: msg`Not made: the image engine had too little memory.`,
  engine_unavailable: msg`Not made: the image engine could not be reached.`,
  engine_busy: msg`Not made: the image service was busy.`,
  storage_full: msg`Not made: the site was out of storage space.`,
  interrupted: msg`Not made: the server stopped meanwhile.`,
}

/** Returns the short reason for a failed generation. */
export function failureReason(failure: ErrorCode | null): MessageDescriptor {
  return (failure && reasons[failure]) ?? msg`Not made: something went wrong.`
}
