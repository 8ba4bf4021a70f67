import type { EngineFault } from './engine-fault.ts'

/** What the people who run the site can do about a fault, for the log; null where it is not theirs to mend. */
export function mendOf({ code, facts }: EngineFault): string | null {
  if (code === 'engine_out_of_credit') {
    return 'the image service is out of credit: add credit or raise the limit at the provider'
  }
  if (code !== 'engine_misconfigured') return null
  const { status = 0, providerCode = '', networkError } = facts
  if (networkError !== undefined) return 'the image service can not be reached: check OPENAI_BASE_URL'
  if (status >= 300 && status < 400) {
    return 'the image service is elsewhere: set OPENAI_BASE_URL to the final address'
  }
  if (status === 401 || /api_key|authentication/.test(providerCode)) {
    return 'the image service refuses the key: check OPENAI_API_KEY'
  }
  if (status === 403) {
    return 'the image service does not let this key use the model: check OPENAI_API_KEY, its rights and OPENAI_IMAGE_MODEL'
  }
  return 'the image service has no such model or address: check OPENAI_IMAGE_MODEL and OPENAI_BASE_URL, which mostly ends in /v1'
}
