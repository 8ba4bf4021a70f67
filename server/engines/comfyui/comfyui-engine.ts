import pLimit from 'p-limit'
import type { EngineCapabilities, ModelParameter } from '../../../shared/engines.ts'
import { type EngineStatus, type ImageEngine, stableDiffusion } from '../image-engine.ts'
import { choicesOf, ComfyUiClient, type NodeInputs } from './comfyui-client.ts'
import { isModelFile, missingModel, missingNode } from './comfyui-errors.ts'
import { createProviderEngine } from '../provider-engine.ts'
import { upscaleFactors } from '../image-sizes.ts'
import { type ComfyUiEngineOptions, generateImage } from './generation.ts'
import { findInputs, typeInput } from './workflow-inputs.ts'
import { builtInWorkflow, findPlaces, readSettings, type ComfyUiWorkflow } from './workflow.ts'

/**
 * Creates an engine for a ComfyUI server. The id of an image is the id of its job there, so that another process finds the
 * job again.
 *
 * @see https://docs.comfy.org/development/comfyui-server/comms_routes
 */
export function createComfyUiEngine(options: ComfyUiEngineOptions): ImageEngine {
  const { workflow } = options
  const client = new ComfyUiClient(options)
  const knownNodes = new Set<string>()
  const model = options.model ?? (workflow && readSettings(workflow).model) ?? null
  return createProviderEngine({ ...options, model }, client.server, {
    capabilities: capabilitiesOf(workflow),
    serialKey: client.serverKey,
    canResume: true,
    async check(signal) {
      const { parameters, ...status } = await checkServer(client, options, knownNodes, signal)
      const loras = workflow ? [] : [...(await client.listLoras(options.loras, signal)).keys()]
      const upscale = (await client.findUpscaler(signal)) === null ? [] : upscaleFactors
      const capabilities = { ...capabilitiesOf(workflow), loras, upscale }
      const modelDetails = { '': { capabilities, parameters, price: null } }
      return { ...status, capabilities, ...(parameters.length > 0 && { modelDetails }) }
    },
    generate: (request, signal) => generateImage(client, options, request, signal),
    onFailedCheck: () => knownNodes.clear(),
  })
}

/** A workflow offers what its placeholders take. */
function capabilitiesOf(workflow: ComfyUiWorkflow | null): EngineCapabilities {
  if (!workflow) return stableDiffusion
  const places = findPlaces(workflow)
  const hasImage = places.has('image')
  return {
    ...stableDiffusion,
    ...(!(places.has('width') && places.has('height')) && { sizes: [], customSizes: null }),
    seed: places.has('seed'),
    negativePrompt: places.has('negativePrompt'),
    referenceImages: hasImage ? 1 : 0,
    strength: hasImage && places.has('strength'),
    mask: hasImage && places.has('mask'),
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
): Promise<Pick<EngineStatus, 'models'> & { readonly parameters: readonly ModelParameter[] }> {
  await client.requireComfyUi(signal)
  const modelPlace = findPlaces(workflow ?? builtInWorkflow('text', '')).get('model')
  // Each ComfyUI has the nodes of the built-in workflow: only the models matter.
  const nodes = Object.values(workflow ?? {})
  const classes = new Set([
    ...nodes.map((node) => node.class_type),
    ...(modelPlace ? [modelPlace.classType] : []),
  ])
  const { inputs: declared } = findInputs(workflow ?? {})
  const listing = new Set([modelPlace?.classType, ...declared.map(({ classType }) => classType)])
  const wanted = [...classes].filter((name) => listing.has(name) || !knownNodes.has(name))
  const inputsByClass = new Map<string, NodeInputs>()
  await pLimit(definitionsAtATime).map(wanted, async (name) => {
    const inputs = await client.findNode(name, signal)
    if (!inputs) throw missingNode(name)
    inputsByClass.set(name, inputs)
  })
  for (const { class_type: name, inputs } of nodes) {
    for (const [input, value] of Object.entries(inputs)) {
      if (!isModelFile(value)) continue
      const choices = choicesOf(inputsByClass.get(name) ?? {}, input)
      if (choices && !choices.includes(value)) throw missingModel(value)
    }
  }
  for (const name of wanted) knownNodes.add(name)

  const parameters = await pLimit(definitionsAtATime).map(declared, async (input) => {
    const node = inputsByClass.get(input.classType) ?? {}
    return typeInput(input, node, await client.listChoices(node, input.field, signal))
  })
  if (model === null || !modelPlace) return { models: [], parameters }
  const models = choicesOf(inputsByClass.get(modelPlace.classType) ?? {}, modelPlace.input)
  if (!models) return { models: [model], parameters }
  if (!models.includes(model)) throw missingModel(model)
  return { models: [model, ...models.filter((name) => name !== model)], parameters }
}
