import type { OpenAiEngineConfig } from '../config/engine-section.ts'
import { endpointAt } from '../engines/openai/endpoint.ts'
import type { EngineFault } from '../engines/openai/engine-fault.ts'
import { pickFacts } from '../engines/openai/failure.ts'
import { listModels } from '../engines/openai/list-models.ts'
import { mendOf } from '../engines/openai/mend.ts'
import { note, ok, problem, type Finding } from './finding.ts'

/** How long the image service may take to list its models, in milliseconds. */
const patience = 10_000

/** Whether the image service answers, takes the key and knows the model: all that can be found out for nothing. */
export async function checkEndpoint(engine: OpenAiEngineConfig): Promise<Finding[]> {
  const { host, isOpenAi } = endpointAt(engine.baseUrl)
  const signal = AbortSignal.timeout(patience)
  const answer = await listModels(engine, signal)
  return [
    ok(
      `${isOpenAi ? 'OpenAI' : host} makes the pictures, with the model ${engine.model}; OPENAI_API_KEY is ${engine.apiKey === null ? 'not set' : 'set'}.`,
    ),
    ...('fault' in answer
      ? [describeRefusal(answer.fault, engine, signal.aborted)]
      : describeModels(answer.models, engine, host)),
  ]
}

function describeModels(
  models: readonly string[] | null,
  { model, apiKey }: OpenAiEngineConfig,
  host: string,
): Finding[] {
  if (models === null) return [note(`${host} answers, but lists no models.`)]
  const answers = ok(`${host} answers${apiKey === null ? '' : ' and takes the key'}.`)
  // Ollama adds a tag to names that have none.
  if (models.some((name) => name === model || name === `${model}:latest`)) {
    return [answers, ok(`It lists the model ${model}.`)]
  }
  const some = models.slice(0, 5).join(', ')
  return [
    answers,
    note(
      `It does not list the model ${model}${some === '' ? '' : `, but ${some}${models.length > 5 ? ' and others' : ''}`}.`,
      'If no picture can be made, set OPENAI_IMAGE_MODEL to one that it has.',
    ),
  ]
}

function describeRefusal(fault: EngineFault, engine: OpenAiEngineConfig, isLate: boolean): Finding {
  const { host } = endpointAt(engine.baseUrl)
  const { status } = fault.facts
  if (status === undefined) {
    const how = isLate ? 'no answer in time' : factsOf(fault, engine) || fault.message
    return problem(`${host} can't be reached (${how}).`, 'See that it runs, and check OPENAI_BASE_URL.')
  }
  if (fault.code === 'engine_out_of_credit' || status === 401 || (status >= 300 && status < 400)) {
    return problem(`${host} answered ${factsOf(fault, engine)}.`, sentence(mendOf(fault)))
  }
  if (status >= 500 && status !== 501) {
    return problem(
      `${host} is in trouble (${factsOf(fault, engine)}).`,
      'Look at its log, or try again later.',
    )
  }
  return note(
    `${host} answers, but does not list its models (${factsOf(fault, engine)}); not every server or key may.`,
  )
}

/** What may be shown of a fault, if anything is known. */
export function factsOf(fault: EngineFault, { baseUrl, apiKey }: OpenAiEngineConfig): string {
  const facts = pickFacts(fault, endpointAt(baseUrl), apiKey === null ? [] : [apiKey])
  const known = [facts.status, facts.providerCode, facts.param, facts.networkError]
  return known.filter((fact) => fact !== undefined).join(', ')
}

/** A mend as a sentence of its own. */
export function sentence(mend: string | null): string {
  if (mend === null) return 'Try again later.'
  return `${mend.charAt(0).toUpperCase()}${mend.slice(1)}.`
}
