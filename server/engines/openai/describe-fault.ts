import { APIError } from 'openai'
import { classifyError } from './classify-error.ts'
import { EngineFault } from './engine-fault.ts'
import { readError, type ErrorBody } from './error-body.ts'
import { networkErrorOf } from './network-error.ts'
import { readRetryAfter } from './retry-after.ts'

/** Network errors that waiting does not mend. */
const setUpErrors = /^(ENOTFOUND|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ERR_INVALID_)/

/** What went wrong with a request, whatever it was that was thrown. */
export function faultOf(thrown: unknown): EngineFault {
  if (thrown instanceof EngineFault) return thrown
  if (thrown instanceof APIError && thrown.status !== undefined) {
    const headers = thrown.headers ?? new Headers()
    return faultOfError(thrown.status, readError(thrown.error), headers)
  }
  const networkError = networkErrorOf(thrown)
  const code = setUpErrors.test(networkError) ? 'engine_misconfigured' : 'engine_failed'
  return new EngineFault(code, 'the connection failed', { networkError })
}

/** What an error that a provider sent means; `status` is undefined for one that came inside an answer. */
export function faultOfError(status: number | undefined, error: ErrorBody, headers: Headers): EngineFault {
  return new EngineFault(classifyError(status, error), 'the image service answered with an error', {
    status,
    providerCode: error.code,
    providerType: error.type,
    param: error.param,
    moderationStage: error.moderation_details?.moderation_stage,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers, Date.now()),
  })
}
