import type { ModelParameter, ParameterValues } from '../../../shared/engines.ts'
import { EngineError } from '../engine-error.ts'
import { fieldsOf, listOf } from '../engine-http.ts'
import type { NodeInputs } from './comfyui-client.ts'
import { isPlaceholder, type ComfyUiWorkflow } from './workflow.ts'

/** Field of a workflow that users may set, declared by the title of its node. */
export interface WorkflowInput {
  /** Name for users. */
  readonly name: string
  readonly nodeId: string
  readonly classType: string
  readonly field: string
  /** Value of the workflow, which applies unless a user sets another one. */
  readonly value: unknown
  /** Bounds of the title, within those of the server; null for those of the server. */
  readonly bounds: { readonly min: number; readonly max: number } | null
}

/** `input:Style`, `input:Strength:denoise`, and each with bounds such as ` 0..1`. */
const declaration =
  /^input:\s*(?<name>[^:]{1,60}?)\s*(?::\s*(?<field>[^:]+?))?(?:\s+(?<min>-?\d+(?:\.\d+)?)\.\.(?<max>-?\d+(?:\.\d+)?))?\s*$/

/** Above it, matching takes long. */
const titleMaxLength = 200

/** Maximum number of inputs: requests have at most as many parameters. */
const inputsMax = 30

/** Maximum number of choices of an input. Every visitor of the form loads them. */
const choicesMax = 2_000

/**
 * Finds the inputs that the titles of a workflow declare, and mistakes in them.
 *
 * @returns `issues`: sentences that continue a line which begins with the name of the workflow's file
 */
export function findInputs(workflow: ComfyUiWorkflow) {
  const inputs: WorkflowInput[] = []
  const issues: string[] = []
  for (const [nodeId, { class_type: classType, inputs: values, _meta: meta }] of Object.entries(workflow)) {
    const { title } = fieldsOf(meta)
    if (typeof title !== 'string' || !title.startsWith('input:')) continue
    const reject = (issue: string) => issues.push(`has the title “${title}” on node ${nodeId}, ${issue}`)
    const isShort = title.length <= titleMaxLength
    const { name, field: named, min, max } = (isShort && declaration.exec(title)?.groups) || {}
    if (name === undefined) {
      reject('which is not input:NAME, input:NAME:FIELD, or one of these with bounds such as 0..1.')
      continue
    }
    const widgets = Object.entries(values).flatMap(([widget, value]) =>
      isWidget(widget, value) ? [widget] : [],
    )
    const field = named ?? (widgets.length === 1 ? widgets[0] : undefined)
    const bounds = min === undefined ? null : { min: Number(min), max: Number(max) }
    if (field === undefined)
      reject(`a ${classType} with more than one field, or none: name one of ${widgets.join(', ')}.`)
    else if (!widgets.includes(field))
      reject(`a ${classType} whose field ${field} cannot be set. It has ${widgets.join(', ')}.`)
    else if (inputs.some((input) => input.name === name)) reject('but another node has this name, too.')
    else if (bounds && bounds.min >= bounds.max) reject('whose first bound is not less than the second.')
    else inputs.push({ name, nodeId, classType, field, value: values[field], bounds })
  }
  if (inputs.length > inputsMax) issues.push(`has more than ${inputsMax} inputs. Remove some titles.`)
  return { inputs, issues }
}

/** Reports whether a field has a value of its own: no output of another node, and no placeholder. */
function isWidget(name: string, value: unknown): boolean {
  // Exports of LoadImage have its button, too.
  return name !== 'upload' && ['string', 'number', 'boolean'].includes(typeof value) && !isPlaceholder(value)
}

/**
 * Types an input as its server describes the node.
 *
 * @param choices its values; null if it is not a choice
 * @throws EngineError for one that users cannot set
 */
export function typeInput(
  input: WorkflowInput,
  node: NodeInputs,
  choices: readonly string[] | null,
): ModelParameter {
  const { name, field, classType, value, bounds } = input
  const misfit = (reason: string) => new EngineError('engine_misconfigured', `the input “${name}” ${reason}`)
  const [type, options] = listOf(node[field])
  const { image_upload: takesImage, min, max } = fieldsOf(options)
  if (bounds && type !== 'INT' && type !== 'FLOAT') throw misfit('has bounds, but is no number')
  if (takesImage === true) return { name, type: 'image' }
  if (type === 'STRING') return { name, type: 'text' }
  if (type === 'BOOLEAN') return { name, type: 'boolean' }
  if (type === 'INT' || type === 'FLOAT') {
    // Seeds go beyond what a number holds exactly.
    const exact = (bound: number) =>
      Math.min(Math.max(bound, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
    const least = typeof min === 'number' ? exact(min) : (bounds?.min ?? NaN)
    const most = typeof max === 'number' ? exact(max) : (bounds?.max ?? NaN)
    const range = bounds ?? { min: least, max: most }
    if (range.min >= least && range.max <= most)
      return { name, type: 'range', ...range, ...(type === 'INT' && { isWhole: true }) }
    throw misfit(
      bounds ? `goes beyond ${least}..${most} of ${field}` : 'needs bounds, such as 0..1 after its name',
    )
  }
  const values = choices?.slice(0, choicesMax)
  if (!values?.length) throw misfit(`cannot be set: the server lists no values for ${field} of ${classType}`)
  if (typeof value === 'string' && !values.includes(value)) {
    throw misfit(`has the value “${value}”, which the server does not list`)
  }
  return { name, type: 'enum', values }
}

/** Sets inputs of a workflow. @param workflow with its placeholders filled, which the values may look like */
export function setInputs(
  workflow: ComfyUiWorkflow,
  inputs: readonly WorkflowInput[],
  values: ParameterValues,
): ComfyUiWorkflow {
  const filled = { ...workflow }
  for (const { name, nodeId, field } of inputs) {
    const node = filled[nodeId]
    if (node && Object.hasOwn(values, name)) {
      filled[nodeId] = { ...node, inputs: { ...node.inputs, [field]: values[name] } }
    }
  }
  return filled
}
