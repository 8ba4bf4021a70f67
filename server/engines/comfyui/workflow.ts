import { knownSettings, type ReportedSettings } from '../image-engine.ts'
import type { chooseLoras } from '../loras.ts'
import builtIn from './built-in-workflows.json' with { type: 'json' }
import placeholders from './placeholders.json' with { type: 'json' }

/** Workflow in ComfyUI's API format: nodes by id. Strings may contain placeholders such as %prompt%. */
export type ComfyUiWorkflow = Readonly<Record<string, ComfyUiNode>>

export interface ComfyUiNode {
  readonly class_type: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

export interface WorkflowValues {
  readonly prompt: string
  readonly negativePrompt: string
  readonly seed: number
  readonly width: number
  readonly height: number
  readonly steps: number
  readonly cfgScale: number
  readonly sampler: string
  readonly scheduler: string
  readonly model: string
  /** Fraction of the noise of a full generation. */
  readonly strength: number
  /** Value for a LoadImage node. */
  readonly image: string
  /** Value for a LoadImageMask node: white areas are redrawn. */
  readonly mask: string
}

type WorkflowValue = keyof WorkflowValues

/** Values by the placeholders that stand for them. The names are those of SillyTavern, which other programs use, too. */
const valuesByPlaceholder = new Map(Object.entries(placeholders as Record<string, WorkflowValue>))

/** Node and input that contain a placeholder. */
interface Place {
  readonly nodeId: string
  readonly classType: string
  readonly input: string
}

export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && valuesByPlaceholder.has(value)
}

/** Finds the first place of each value that a workflow takes. */
export function findPlaces(workflow: ComfyUiWorkflow): ReadonlyMap<WorkflowValue, Place> {
  const places = new Map<WorkflowValue, Place>()
  for (const [nodeId, { class_type: classType, inputs }] of Object.entries(workflow)) {
    for (const [input, text] of Object.entries(inputs)) {
      const value = typeof text === 'string' ? valuesByPlaceholder.get(text) : undefined
      if (value && !places.has(value)) places.set(value, { nodeId, classType, input })
    }
  }
  return places
}

/**
 * Finds mistakes in the placeholders of a workflow.
 *
 * @returns sentences that continue a line which begins with the name of the workflow's file
 */
export function findPlaceholderIssues(workflow: ComfyUiWorkflow): string[] {
  const issues: string[] = []
  for (const [nodeId, { class_type: classType, inputs }] of Object.entries(workflow)) {
    for (const [input, text] of Object.entries(inputs)) {
      // SaveImage replaces placeholders of its own in the names of files.
      if (typeof text !== 'string' || input === 'filename_prefix' || valuesByPlaceholder.has(text)) continue
      const place = `in ${input} of node ${nodeId} (${classType})`
      const known = [...valuesByPlaceholder.keys()]
      const embedded = known.find((placeholder) => text.includes(placeholder))
      if (embedded !== undefined) {
        issues.push(`has ${embedded} between other text ${place}. Make it the whole value.`)
      } else if (/^%\w+%$/.test(text)) {
        issues.push(`has the unknown placeholder ${text} ${place}. Known ones are ${known.join(', ')}.`)
      }
    }
  }
  const places = findPlaces(workflow)
  if (!places.has('prompt')) {
    issues.push("has no %prompt%. Write it where the workflow has the prompt's text.")
  }
  if (places.has('mask') && !places.has('image')) issues.push('has %mask%, but no %image%. Add that.')
  return issues
}

/** Replaces each input that is a placeholder with its value, a number where the value is one. */
export function fillWorkflow(workflow: ComfyUiWorkflow, values: Partial<WorkflowValues>): ComfyUiWorkflow {
  const fill = (text: unknown) => {
    const value = typeof text === 'string' ? valuesByPlaceholder.get(text) : undefined
    return value ? values[value] : text
  }
  return Object.fromEntries(
    Object.entries(workflow).map(([nodeId, node]) => {
      const inputs = Object.entries(node.inputs).map(([input, text]) => [input, fill(text)] as const)
      return [nodeId, { ...node, inputs: Object.fromEntries(inputs) }]
    }),
  )
}

/**
 * Creates a workflow for engines without one of their own: an image from noise, from a reference image, or from one with a mask in
 * its alpha channel, which any checkpoint runs; or an image that is enlarged to a size, whatever the factor of the model.
 *
 * @param filePrefix beginning of the file names at the server
 */
export function builtInWorkflow(variant: keyof typeof builtIn, filePrefix: string): ComfyUiWorkflow {
  const { 9: saver, ...nodes } = builtIn[variant]
  return { ...nodes, 9: { ...saver, inputs: { ...saver.inputs, filename_prefix: filePrefix } } }
}

/** Inserts LoRAs between the checkpoint of the built-in workflow and the nodes that use it. */
export function insertLoras(
  workflow: ComfyUiWorkflow,
  loras: ReturnType<typeof chooseLoras>,
): ComfyUiWorkflow {
  let source = '4'
  const loaders: Record<string, ComfyUiNode> = {}
  for (const [index, { value, weight }] of loras.entries()) {
    const id = String(20 + index)
    loaders[id] = {
      class_type: 'LoraLoader',
      inputs: {
        lora_name: value,
        strength_model: weight,
        strength_clip: weight,
        model: [source, 0],
        clip: [source, 1],
      },
    }
    source = id
  }
  const users = Object.entries(workflow).map(([id, { inputs, ...node }]) => {
    const linked = { ...inputs, ...('model' in inputs && { model: [source, 0] }) }
    return [id, { ...node, inputs: { ...linked, ...('clip' in inputs && { clip: [source, 1] }) } }] as const
  })
  return { ...Object.fromEntries(users), ...loaders }
}

/** Reads the settings of a filled workflow from the usual inputs of samplers and loaders. */
export function readSettings(workflow: ComfyUiWorkflow): ReportedSettings {
  const nodes = Object.values(workflow)
  const find = <Value>(names: readonly string[], is: (value: unknown) => value is Value) => {
    for (const { inputs } of nodes) {
      for (const name of names) if (is(inputs[name])) return inputs[name]
    }
    return undefined
  }
  return knownSettings({
    model: find(['ckpt_name', 'unet_name', 'model_name'], isText),
    seed: find(['seed', 'noise_seed'], Number.isSafeInteger as (value: unknown) => value is number),
    steps: find(['steps'], isNumber),
    sampler: find(['sampler_name'], isText),
    scheduler: find(['scheduler'], isText),
    cfgScale: find(['cfg'], isNumber),
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !isPlaceholder(value)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
