import type { Lora } from '../../shared/engines.ts'
import { EngineError } from './engine-error.ts'
import { cleanPrompt, type EngineRequest } from './image-engine.ts'

/** Names for users by the names that LoRAs have at the server: the only ones that are offered. Null: all, under their own names. */
export type OfferedLoras = Readonly<Record<string, string>> | null

interface ListedLora {
  readonly name: string
  /** What a request to the server contains. */
  readonly value: string
}

/** Values of the LoRAs that an engine offers, by their names for users. */
export type LoraValues = ReadonlyMap<string, string>

/** Maximum number of LoRAs that are offered. Every visitor of the form loads the names. */
const offeredMax = 2_000

/** Chooses the LoRAs that an engine offers. Names that no tag can contain are left out. */
export function offerLoras(listed: readonly ListedLora[], offered: OfferedLoras): LoraValues {
  const named = offered
    ? Object.entries(offered).flatMap(([key, name]) => {
        const found = listed.find((lora) => lora.name === key || lora.value === key)
        return found ? { name, value: found.value } : []
      })
    : listed
  const usable = named.filter(({ name }) => /^[^<>:\p{Cc}]{1,200}$/u.test(name))
  return new Map(usable.slice(0, offeredMax).map(({ name, value }) => [name, value]))
}

/** Returns the values of the LoRAs of a request. @throws EngineError for one that the server no longer has */
export function chooseLoras(loras: readonly Lora[], values: LoraValues) {
  return loras.map(({ name, weight }) => {
    const value = values.get(name)
    if (value !== undefined) return { value, weight }
    const message = `The image engine no longer has the LoRA “${name}”.`
    throw new EngineError('engine_misconfigured', 'the server has not the requested LoRA', {}, message)
  })
}

export function withoutExtension(file: string): string {
  return file.replace(/\.(safetensors|ckpt|gguf|pth?|bin|sft)$/i, '')
}

/** Tags such as `<lora:name:1>`, with which a prompt loads networks of a server. */
const networkTags = /<(?=[\p{L}\p{N}_]+:)/gu

/** Breaks tags in a prompt, if an engine offers only some LoRAs, so that the server takes them as text. */
export function withoutTags(prompt: string, offered: OfferedLoras): string {
  return offered ? prompt.replaceAll(networkTags, ' ') : prompt
}

/** Cleans the prompts of a request of parameters and of tags that are not offered. @throws EngineError if no prompt is left */
export function withPlainPrompts(request: EngineRequest, offered: OfferedLoras): EngineRequest {
  const plain = (prompt: string) => withoutTags(cleanPrompt(prompt), offered)
  const prompt = plain(request.prompt)
  if (prompt === '' && request.upscale === null)
    throw new EngineError('prompt_blocked', 'the prompt contains only parameters')
  return { ...request, prompt, negativePrompt: plain(request.negativePrompt) }
}
