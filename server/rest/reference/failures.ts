import type { ErrorCode } from '../../../shared/errors.ts'
import { statusOf } from '../../errors/describe-error.ts'

/** What the failures of REST mean, for readers of its description. */
const meanings = {
  bad_input: 'The input is not as described; the sentence names what is wrong.',
  prompt_blocked: 'The image service makes no picture of this prompt.',
  not_signed_in: 'There is no token, or a bad one.',
  forbidden: 'This belongs to somebody else, or a write with a cookie came from another site.',
  not_found: 'There is no such image.',
  cancelled: 'Its owner gave the picture up meanwhile.',
  too_large: 'The request or the photo is too large.',
  rate_limited: 'Too many writes at once.',
  daily_limit: 'The pictures of the day are used up.',
  upload_limit: 'The photos of the day are used up.',
  too_many_unfinished: 'Too many pictures are in the making.',
  internal: 'A fault of the server, which its log tells of.',
  engine_failed: 'The picture could not be made.',
  engine_misconfigured: 'The image service is not set up correctly.',
  engine_out_of_credit: 'The image service is out of credit.',
  engine_busy: 'The image service is busy.',
  interrupted: 'The server stopped while the picture was made.',
  queue_full: 'Too many pictures wait already.',
  busy: 'The server is busy.',
  storage_unavailable: "The server can't read or save anything right now.",
  sign_in_unavailable: "The sign-in service can't be reached.",
  engine_timeout: 'The picture took too long.',
  storage_full: 'There is no room left.',
} as const satisfies Partial<Record<ErrorCode, string>>

export type RestFailure = keyof typeof meanings

/** The failures of one call by their status, each status with the meanings that it may have. */
export function meaningsByStatus(failures: readonly RestFailure[]): Map<number, string> {
  const byStatus = new Map<number, string>()
  for (const failure of failures) {
    const status = statusOf[failure]
    const before = byStatus.get(status)
    byStatus.set(status, before ? `${before} ${meanings[failure]}` : meanings[failure])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}
