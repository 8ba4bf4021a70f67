import { messages, type ErrorCode } from '../../shared/errors.ts'

const sentences: Partial<Record<ErrorCode, string>> = {
  prompt_blocked: 'The image service does not make pictures of this prompt. Please change it.',
  engine_failed: 'The picture could not be made. Please try again.',
  engine_timeout: 'The picture took too long to make. Please try again.',
  engine_out_of_credit: 'The image service is out of credit. The people who run this site have to see to it.',
  engine_misconfigured:
    'The image service is not set up correctly. The people who run this site have to see to it.',
  engine_busy: 'The image service is busy. Please try again in a moment.',
  interrupted: 'The server stopped while the picture was being made. Please try again.',
  storage_full: 'There was no room left to keep the picture. The people who run this site have to see to it.',
  storage_unavailable: 'The picture could not be kept. Please try again.',
  cancelled: 'The picture was cancelled.',
}

/** What a person is told of a picture that was not made, by the code that its row keeps. */
export function failureSentence(code: ErrorCode): string {
  return sentences[code] ?? messages.generateFailed
}
