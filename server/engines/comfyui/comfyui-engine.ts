import pLimit from 'p-limit'
import type { EngineCapabilities } from '../../../shared/engines.ts'
import type { ComfyUiWorkflow } from '../../config/engine-section.ts'
import { type EngineStatus, type ImageEngine, stableDiffusionSizes } from '../image-engine.ts'
import { choicesOf, ComfyUiClient, type NodeInputs } from './comfyui-client.ts'
import { isModelFile, missingModel, missingNode } from './comfyui-errors.ts'
import { createProviderEngine } from '../provider-engine.ts'
import { type ComfyUiEngineOptions, Generation } from './generation.ts'
import { builtInWorkflow, findPlaces, readSettings, type WorkflowValues } from './workflow.ts'

/**
 * Creates an engine for a ComfyUI server. The id of an image is the id of its job there, so that another process finds the
 * job again.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_routes
 */
export function createComfyUiEngine(options: ComfyUiEngineOptions): ImageEngine {
  const { id, kind, label, workflow } = options
  const client = new ComfyUiClient(options)
  const knownNodes = new Set<string>()
  return createProviderEngine({
    id,
    kind,
    label,
    model: options.model ?? (workflow && readSettings(workflow).model) ?? '',
    capabilities: capabilitiesOf(workflow),
    serialKey: client.serverKey,
    canResume: true,
    check: (signal) => checkServer(client, options, knownNodes, signal),
    generate: (request, signal) => new Generation(client, options, request, signal).run(),
    host: client.server.base.host,
    secrets: client.secrets,
    onError(_error, source) {
      if (source === 'check') knownNodes.clear()
    },
  })
}

/** A workflow offers what its placeholders take. */
function capabilitiesOf(workflow: ComfyUiWorkflow | null): EngineCapabilities {
  const places = workflow && findPlaces(workflow)
  const has = (value: keyof WorkflowValues) => places === null || places.has(value)
  const hasSize = has('width') && has('height')
  return {
    ...(hasSize ? stableDiffusionSizes : { sizes: [], customSizes: null }),
    seed: has('seed'),
    negativePrompt: has('negativePrompt'),
    count: 4,
    referenceImages: has('image') ? 1 : 0,
    strength: has('image') && has('strength'),
    mask: has('image') && has('mask'),
    progress: true,
    previews: true,
  }
}

/** Number of node definitions that are requested at a time. */
const definitionsAtATime = 4

/**
 * Checks that a server has the nodes and models of a workflow.
 *
 * @param knownNodes nodes that it had at an earlier check, which are not requested again
 * @throws EngineError
 */
async function checkServer(
  client: ComfyUiClient,
  { workflow, model }: ComfyUiEngineOptions,
  knownNodes: Set<string>,
  signal: AbortSignal,
): Promise<EngineStatus> {
  await client.requireComfyUi(signal)
  const modelPlace = findPlaces(workflow ?? builtInWorkflow('text', '')).get('model')
  // Each ComfyUI has the nodes of the built-in workflow: only the models matter.
  const nodes = Object.values(workflow ?? {})
  const classes = new Set([
    ...nodes.map((node) => node.class_type),
    ...(modelPlace ? [modelPlace.classType] : []),
  ])
  const wanted = [...classes].filter((name) => name === modelPlace?.classType || !knownNodes.has(name))
  const limit = pLimit(definitionsAtATime)
  const inputsByClass = new Map<string, NodeInputs>()
  await Promise.all(
    wanted.map((name) =>
      limit(async () => {
        const inputs = await client.findNode(name, signal)
        if (!inputs) throw missingNode(name)
        inputsByClass.set(name, inputs)
      }),
    ),
  )
  for (const { class_type: name, inputs } of nodes) {
    for (const [input, value] of Object.entries(inputs)) {
      if (!isModelFile(value)) continue
      const choices = choicesOf(inputsByClass.get(name) ?? {}, input)
      if (choices && !choices.includes(value)) throw missingModel(value)
    }
  }
  for (const name of wanted) knownNodes.add(name)

  if (model === null || !modelPlace) return { models: [] }
  const models = choicesOf(inputsByClass.get(modelPlace.classType) ?? {}, modelPlace.input)
  if (!models) return { models: [model] }
  if (!models.includes(model)) throw missingModel(model)
  return { models: [model, ...models.filter((name) => name !== model)] }
}
