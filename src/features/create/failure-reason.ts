import type { ErrorCode } from '../../../shared/errors.ts'

const reasons: Partial<Record<ErrorCode, string>> = {
  prompt_blocked: 'Not made: the image service does not take these words.',
  engine_timeout: 'Not made: it took too long.',
  engine_out_of_credit: 'Not made: the image service was out of credit.',
  engine_misconfigured: 'Not made: the image service is not set up correctly.',
  engine_out_of_memory: 'Not made: the image engine had too little memory.',
  engine_unavailable: 'Not made: the image engine could not be reached.',
  engine_busy: 'Not made: the image service was busy.',
  storage_full: 'Not made: the site was out of storage space.',
  interrupted: 'Not made: the server stopped meanwhile.',
}

/** Returns the short reason for a failed generation. */
export function failureReason(failure: ErrorCode | null): string {
  return (failure && reasons[failure]) ?? 'Not made: something went wrong.'
}
