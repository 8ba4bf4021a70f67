import { EngineError, interruptedError, toIdentifier } from '../engine-error.ts'
import { fieldsOf, listOf } from '../engine-http.ts'
import type { ComfyUiWorkflow } from './workflow.ts'

/**
 * Creates the error for a rejected workflow. Values are read from the workflow itself, not from the response.
 *
 * @param body response to the submission
 */
export function rejectionError(body: unknown, workflow: ComfyUiWorkflow): EngineError {
  const { error, node_errors: nodeErrors } = fieldsOf(body)
  const { type, extra_info: extra } = fieldsOf(error)
  if (type === 'missing_node_type') {
    return missingNode(toIdentifier(fieldsOf(extra)['class_type']) ?? 'of the workflow')
  }
  const inputErrors = readInputErrors(nodeErrors, workflow)
  const model = inputErrors
    .flatMap((one) => (one.type === 'value_not_in_list' ? one.value : []))
    .find(isModelFile)
  if (model !== undefined) return missingModel(model)
  const first = inputErrors.find(isOfRequest) ?? inputErrors[0]
  const { input, place } = first ?? { input: null, place: 'the workflow' }
  const facts = { providerCode: toIdentifier(first ? first.type : type) ?? undefined }
  if (!first || !isOfRequest(first))
    return new EngineError('engine_misconfigured', `the server rejects ${place}`, facts)
  if (input !== 'image') {
    const message = 'The engine does not accept this size. Choose another one.'
    return new EngineError('engine_failed', 'the server does not accept the size', facts, message)
  }
  return new EngineError('engine_failed', `the server rejects ${place}`, facts)
}

/** Types of errors of a request by input, its size and its images. Everything else is an error of the workflow. */
const requestErrors: Readonly<Record<string, RegExp>> = {
  width: /^value_(smaller|bigger)_than_/,
  height: /^value_(smaller|bigger)_than_/,
  image: /^(value_not_in_list|custom_validation_failed)$/,
}

function isOfRequest({ input, type }: InputError): boolean {
  return requestErrors[input]?.test(type ?? '') === true
}

interface InputError {
  readonly type: string | null
  readonly input: string
  readonly value: unknown
  /** Input and node, for the log. */
  readonly place: string
}

function readInputErrors(nodeErrors: unknown, workflow: ComfyUiWorkflow): InputError[] {
  return Object.entries(fieldsOf(nodeErrors)).flatMap(([id, node]) =>
    listOf(fieldsOf(node)['errors']).map((error) => {
      const { type, extra_info: extra } = fieldsOf(error)
      const input = toIdentifier(fieldsOf(extra)['input_name']) ?? 'an input'
      const { class_type: classType = 'unknown', inputs = {} } = workflow[id] ?? {}
      const place = `${input} of node ${toIdentifier(id)} (${classType})`
      return { type: toIdentifier(type), input, value: inputs[input], place }
    }),
  )
}

/** Names of files with the weights of a model. */
const modelFile = /\.(safetensors|sft|ckpt|pt|pth|bin|gguf)$/i

export function isModelFile(value: unknown): value is string {
  return typeof value === 'string' && modelFile.test(value)
}

export function missingNode(classType: string): EngineError {
  return new EngineError('engine_misconfigured', `the server has no node ${classType}: install it`, {
    providerCode: 'missing_node_type',
  })
}

/** Creates the error for a model that the server does not have. The user sees its name without folders. */
export function missingModel(model: string): EngineError {
  const name = model.split(/[\\/]/).at(-1) ?? model
  return new EngineError(
    'engine_misconfigured',
    `the server has no model ${model}`,
    { providerCode: 'value_not_in_list' },
    `The model ${name} is not installed on this engine. Contact the operator of this site.`,
  )
}

/**
 * Creates the error for the event with which a job ended; null for an event that is not a failure.
 *
 * @param data data of the event
 */
export function executionError(event: unknown, data: unknown): EngineError | null {
  if (event === 'execution_interrupted') return interruptedError()
  if (event !== 'execution_error') return null
  const { node_type: nodeType, exception_type: exceptionType, exception_message: message } = fieldsOf(data)
  const node = toIdentifier(nodeType) ?? 'of the workflow'
  const providerType = toIdentifier(exceptionType) ?? undefined
  if (isOutOfMemory(exceptionType, message)) {
    return new EngineError('engine_out_of_memory', `the node ${node} ran out of memory`, { providerType })
  }
  const reason = `the node ${node} failed with ${providerType ?? 'unknown exception'}; see the log of ComfyUI`
  return new EngineError('engine_failed', reason, { providerType })
}

function isOutOfMemory(exceptionType: unknown, exceptionMessage: unknown): boolean {
  if (typeof exceptionType === 'string' && /OutOfMemory|^MemoryError$/.test(exceptionType)) return true
  // PyTorch raises a RuntimeError if the memory of the CPU, or of a Mac, is used up.
  return typeof exceptionMessage === 'string' && /out of memory|not enough memory/i.test(exceptionMessage)
}
