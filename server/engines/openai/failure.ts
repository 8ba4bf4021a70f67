import { AppError } from '../../errors/app-error.ts'
import { failureSentence } from '../../errors/failure-sentences.ts'
import type { Endpoint } from './endpoint.ts'
import type { EngineFault } from './engine-fault.ts'

/** A name, as providers give to errors, parameters and requests; sentences and keys are none. */
const identifier = /^[\w.:-]{1,64}$/

/** The cause of a failed generation, as the log shows it. */
class OpenAiFailure extends Error {
  override readonly name = 'OpenAiFailure'
}

/**
 * The error that leaves the engine: a sentence for the person, and as its cause a line for the log with picked facts.
 *
 * @param secrets what must not be in the cause even where a provider uses it as a name
 */
export function toAppError(fault: EngineFault, endpoint: Endpoint, secrets: readonly string[]): AppError {
  const facts = pickFacts(fault, endpoint, secrets)
  const known = [facts.status, facts.providerCode, facts.networkError].filter((fact) => fact !== undefined)
  const message = [
    `${endpoint.host}: ${fault.message}`,
    ...(known.length > 0 ? [`(${known.join(', ')})`] : []),
  ].join(' ')
  const { retryAfter } = fault.facts
  return new AppError(fault.code, failureSentence(fault.code), {
    cause: Object.assign(new OpenAiFailure(message), facts),
    ...(fault.code === 'engine_busy' &&
      retryAfter !== undefined && { retryAfter: Math.ceil(retryAfter / 1_000) }),
  })
}

/** What may be logged of a fault. */
export function pickFacts({ facts }: EngineFault, endpoint: Endpoint, secrets: readonly string[]) {
  const pick = (text: string | undefined) =>
    text !== undefined && identifier.test(text) && !secrets.some((secret) => text.includes(secret))
      ? text
      : undefined
  return {
    host: endpoint.host,
    status: facts.status,
    providerCode: pick(facts.providerCode),
    providerType: pick(facts.providerType),
    param: pick(facts.param),
    moderationStage: pick(facts.moderationStage),
    requestId: pick(facts.requestId),
    networkError: pick(facts.networkError),
  }
}
