import type { ErrorDetail } from './error-details.ts'

/** Messages whose wording the specification fixes. */
export const messages = {
  promptMissing: 'Please provide a prompt',
  dailyLimit: 'You have reached your daily image limit.',
  shareIncomplete: 'Please enter a prompt and generate an image',
  generateFailed: 'Something went wrong!',
  shareFailed: 'Failed to share post',
} as const

interface ErrorDefinition {
  /** HTTP status, the same on every transport. */
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 500 | 502 | 503 | 504 | 507
  /** tRPC's code for the status. */
  readonly trpcCode: string
  /** Default message for users. Callers with more context pass a more specific one. */
  readonly message: string
}

/** All errors of the API. Programs branch on the code; the message is for users. */
export const errors = {
  bad_input: { status: 400, trpcCode: 'BAD_REQUEST', message: 'The input is not valid.' },
  prompt_blocked: {
    status: 400,
    trpcCode: 'BAD_REQUEST',
    message: 'The image service does not allow this prompt. Change it and try again.',
  },
  not_signed_in: { status: 401, trpcCode: 'UNAUTHORIZED', message: 'Please sign in first.' },
  forbidden: { status: 403, trpcCode: 'FORBIDDEN', message: 'You are not allowed to do this.' },
  not_found: { status: 404, trpcCode: 'NOT_FOUND', message: 'Not found.' },
  canceled: { status: 409, trpcCode: 'CONFLICT', message: 'The generation was canceled.' },
  too_large: { status: 413, trpcCode: 'PAYLOAD_TOO_LARGE', message: 'The request is too large.' },
  rate_limited: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    message: 'Too many requests. Try again in a moment.',
  },
  daily_limit: { status: 429, trpcCode: 'TOO_MANY_REQUESTS', message: messages.dailyLimit },
  site_limit: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    message: 'This site has reached its daily image limit. Try again after midnight UTC.',
  },
  upload_limit: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    message: 'You have reached your daily upload limit.',
  },
  post_limit: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    message: 'You have reached your daily post limit.',
  },
  storage_limit: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    message: 'Your images take up all the storage that you have. Delete some, and empty the trash.',
  },
  too_many_unfinished: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    message: 'You have too many unfinished images. Wait for one to finish.',
  },
  api_key_limit: {
    status: 429,
    trpcCode: 'TOO_MANY_REQUESTS',
    message: 'You have too many API keys. Revoke one first.',
  },
  internal: { status: 500, trpcCode: 'INTERNAL_SERVER_ERROR', message: messages.generateFailed },
  engine_failed: {
    status: 502,
    trpcCode: 'BAD_GATEWAY',
    message: 'The image could not be generated. Try again.',
  },
  engine_misconfigured: {
    status: 502,
    trpcCode: 'BAD_GATEWAY',
    message: 'The image service is not set up correctly. Contact the operator of this site.',
  },
  engine_out_of_credit: {
    status: 502,
    trpcCode: 'BAD_GATEWAY',
    message: 'The image service is out of credit. Contact the operator of this site.',
  },
  engine_out_of_memory: {
    status: 502,
    trpcCode: 'BAD_GATEWAY',
    message: 'The image engine has too little memory for this image. Choose a smaller size.',
  },
  engine_unavailable: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: 'The image engine cannot be reached. Try again later.',
  },
  engine_busy: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: 'The image service is busy. Try again in a moment.',
  },
  interrupted: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: 'The server stopped while the image was being generated. Try again.',
  },
  queue_full: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: 'Many images are being generated right now. Try again in a moment.',
  },
  busy: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: 'The server is busy. Try again in a moment.',
  },
  storage_unavailable: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: "This site can't read or save anything right now. Try again in a moment.",
  },
  sign_in_unavailable: {
    status: 503,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: 'Sign-in is unavailable. Please try again in a moment.',
  },
  engine_timeout: {
    status: 504,
    trpcCode: 'GATEWAY_TIMEOUT',
    message: 'The image took too long to generate. Try again.',
  },
  // tRPC has no code for 507: `data.httpStatus` distinguishes it from 503.
  storage_full: {
    status: 507,
    trpcCode: 'SERVICE_UNAVAILABLE',
    message: 'This site is out of storage space. Contact the operator of this site.',
  },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof errors

/** `data` of a failed tRPC call; the message for users is in `message`. */
export interface FailureData {
  /** tRPC's name for the status. */
  readonly code: string
  readonly httpStatus: number
  /** Error code, more specific than the status. */
  readonly reason: ErrorCode
  /** Reason that is more specific than the error code, if the message is not the default one of the code. */
  readonly detail?: ErrorDetail
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
}
