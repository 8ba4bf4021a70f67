import type { ComfyUiWorkflow } from '../../config/engine-section.ts'
import { EngineError, interruptedError, toIdentifier } from '../engine-error.ts'
import { fieldsOf, listOf } from '../engine-http.ts'

/** Errors of inputs, in the order in which they are reported if there are several. */
const inputErrorTypes = [
  'value_not_in_list',
  'value_smaller_than_min',
  'value_bigger_than_max',
  'custom_validation_failed',
]

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
  const inputErrors = readInputErrors(nodeErrors)
  const known = inputErrorTypes.flatMap((one) => inputErrors.filter((inputError) => inputError.type === one))
  const [first = inputErrors[0]] = known
  return first
    ? inputErrorOf(first, workflow)
    : new EngineError('engine_misconfigured', 'the server rejects the workflow', {
        providerCode: toIdentifier(type) ?? undefined,
      })
}

interface InputError {
  readonly nodeId: string
  readonly type: string
  readonly input: string | null
}

function readInputErrors(nodeErrors: unknown): InputError[] {
  return Object.entries(fieldsOf(nodeErrors)).flatMap(([id, node]) => {
    const nodeId = toIdentifier(id)
    return listOf(fieldsOf(node)['errors']).flatMap((error) => {
      const { type: name, extra_info: extra } = fieldsOf(error)
      const type = toIdentifier(name)
      const input = toIdentifier(fieldsOf(extra)['input_name'])
      return nodeId === null || type === null ? [] : [{ nodeId, type, input }]
    })
  })
}

/** Names of files with the weights of a model. */
const modelFile = /\.(safetensors|sft|ckpt|pt|pth|bin|gguf)$/i

export function isModelFile(value: unknown): value is string {
  return typeof value === 'string' && modelFile.test(value)
}

function inputErrorOf({ nodeId, type, input }: InputError, workflow: ComfyUiWorkflow): EngineError {
  const { class_type: classType = 'unknown', inputs = {} } = workflow[nodeId] ?? {}
  const value = input === null ? undefined : inputs[input]
  const node = `node ${nodeId} (${classType})`
  const place = `${input ?? 'an input'} of ${node}`
  // Images and sizes are those of the request, everything else is that of the configuration.
  const error = (message: string, isOfRequest = false, userMessage?: string) => {
    const code = isOfRequest ? 'engine_failed' : 'engine_misconfigured'
    return new EngineError(code, message, { providerCode: type }, userMessage)
  }
  switch (type) {
    case 'value_not_in_list':
      if (isModelFile(value)) return missingModel(value)
      if (input === 'image') return error(`the server has no file for ${place}`, true)
      return error(`the server does not know the value of ${place}`)
    case 'value_smaller_than_min':
    case 'value_bigger_than_max': {
      const isSize = input === 'width' || input === 'height'
      const message = 'The engine does not accept this size. Choose another one.'
      if (isSize) return error('the server does not accept the size', true, message)
      return error(`the value of ${place} is out of range`)
    }
    case 'custom_validation_failed':
      return error(`the server rejects ${place}`, input === 'image')
    default:
      return error(`the server rejects the workflow in ${node}`)
  }
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
