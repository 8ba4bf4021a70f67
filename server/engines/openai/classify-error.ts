import type { FaultCode } from './engine-fault.ts'
import type { ErrorBody } from './error-body.ts'

const moderation = /moderation_blocked|content_?(policy|filter)|responsible_?ai_?policy|safety_violation/i
const moderationWords =
  /content ?policy|content moderation|content filter|safety system|usage guidelines|moderation_blocked/i

const credit = /insufficient_(quota|credit|fund|balance)|billing|quota_exceeded|payment_required/i
const creditWords =
  /exceeded your current quota|out of credit|available credits|spending limit|insufficient (quota|credit|fund|balance)/i

const rateLimit = /rate_?limit|too_many_requests/i
const setUp =
  /model_not_found|invalid_?model|invalid_api_key|authentication|permission|unsupported_country|not_found/i
const overTime = /timeout|timed_out/i

/**
 * Which kind of failure a provider's error is. Its code and type decide before its status: the same 400 is a blocked
 * prompt or a billing limit, and an error inside a stream has no status. Its words count where it has no code of its own.
 *
 * @param status of the answer, or undefined for an error that came after a 200
 */
export function classifyError(status: number | undefined, error: ErrorBody): FaultCode {
  const names = `${error.code ?? ''} ${error.type ?? ''}`
  const words = hasOwnCode(error) ? '' : (error.message ?? '')
  if (moderation.test(names) || moderationWords.test(words)) return 'prompt_blocked'
  if (credit.test(names) || creditWords.test(words) || status === 402) return 'engine_out_of_credit'
  if (status === 429 || rateLimit.test(names)) return 'engine_busy'
  if (status === undefined) return classifyNames(names)
  if (status === 408 || status === 504) return 'engine_timeout'
  if ((status >= 300 && status < 400) || [401, 403, 404, 405].includes(status)) return 'engine_misconfigured'
  return status < 500 ? classifyNames(names) : 'engine_failed'
}

function classifyNames(names: string): FaultCode {
  if (setUp.test(names)) return 'engine_misconfigured'
  return overTime.test(names) ? 'engine_timeout' : 'engine_failed'
}

/** Gateways repeat the status as the code, xAI puts a sentence there. */
function hasOwnCode(error: ErrorBody): boolean {
  return /^(?!none$|null$)[a-z][\w.-]*$/i.test(error.code ?? '')
}
