import type { ErrorDetail } from './error-details.ts'

/** Messages whose wording the specification fixes. */
export const messages = {
  promptMissing: 'Please provide a prompt',
  dailyLimit: 'You have reached your daily image limit.',
  shareIncomplete: 'Please enter a prompt and generate an image',
  generateFailed: 'Something went wrong!',
  shareFailed: 'Failed to share post',
} as const

/** tRPC's codes for HTTP statuses. It has none for 507: `data.httpStatus` distinguishes that from 503. */
export const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
  507: 'SERVICE_UNAVAILABLE',
} as const

interface ErrorDefinition {
  /** HTTP status, the same on every transport. */
  readonly status: keyof typeof trpcCodes
  /** Default message for users. Callers with more context pass a more specific one. */
  readonly message: string
}

/** All errors of the API. Programs branch on the code; the message is for users. */
export const errors = {
  bad_input: { status: 400, message: 'The input is not valid.' },
  prompt_blocked: {
    status: 400,
    message: 'The image service does not allow this prompt. Change it and try again.',
  },
  not_signed_in: { status: 401, message: 'Please sign in first.' },
  forbidden: { status: 403, message: 'You are not allowed to do this.' },
  not_found: { status: 404, message: 'Not found.' },
  canceled: { status: 409, message: 'The generation was canceled.' },
  too_large: { status: 413, message: 'The request is too large.' },
  rate_limited: { status: 429, message: 'Too many requests. Try again in a moment.' },
  daily_limit: { status: 429, message: messages.dailyLimit },
  site_limit: {
    status: 429,
    message: 'This site has reached its daily image limit. Try again after midnight UTC.',
  },
  upload_limit: { status: 429, message: 'You have reached your daily upload limit.' },
  post_limit: { status: 429, message: 'You have reached your daily post limit.' },
  storage_limit: {
    status: 429,
    message: 'Your images take up all the storage that you have. Delete some, and empty the trash.',
  },
  too_many_unfinished: {
    status: 429,
    message: 'You have too many unfinished images. Wait for one to finish.',
  },
  api_key_limit: { status: 429, message: 'You have too many API keys. Revoke one first.' },
  internal: { status: 500, message: messages.generateFailed },
  engine_failed: { status: 502, message: 'The image could not be generated. Try again.' },
  engine_misconfigured: {
    status: 502,
    message: 'The image service is not set up correctly. Contact the operator of this site.',
  },
  engine_out_of_credit: {
    status: 502,
    message: 'The image service is out of credit. Contact the operator of this site.',
  },
  engine_out_of_memory: {
    status: 502,
    message: 'The image engine has too little memory for this image. Choose a smaller size.',
  },
  engine_unavailable: { status: 503, message: 'The image engine cannot be reached. Try again later.' },
  engine_busy: { status: 503, message: 'The image service is busy. Try again in a moment.' },
  interrupted: { status: 503, message: 'The server stopped while the image was being generated. Try again.' },
  queue_full: { status: 503, message: 'Many images are being generated right now. Try again in a moment.' },
  busy: { status: 503, message: 'The server is busy. Try again in a moment.' },
  storage_unavailable: {
    status: 503,
    message: "This site can't read or save anything right now. Try again in a moment.",
  },
  sign_in_unavailable: { status: 503, message: 'Sign-in is unavailable. Please try again in a moment.' },
  engine_timeout: { status: 504, message: 'The image took too long to generate. Try again.' },
  storage_full: {
    status: 507,
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
