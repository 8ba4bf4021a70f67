import { EngineError } from '../engine-error.ts'
import { fieldsOf, listOf } from '../engine-http.ts'
import { type LoraValues, type OfferedLoras, offerLoras } from '../loras.ts'
import type { Automatic1111Client } from './automatic1111-client.ts'

/** What a server has beyond its models. */
export interface ServerExtras {
  readonly loras: LoraValues
  /** True if a request names LoRAs in a field, as stable-diffusion.cpp takes no tags; false if its prompt has tags. */
  readonly hasLoraField: boolean
  /** Name of the upscaler to use; null without one. */
  readonly upscaler: string | null
}

export const noExtras: ServerExtras = { loras: new Map(), hasLoraField: false, upscaler: null }

/** Upscalers that only interpolate. The server's default, `None`, returns the image as it is. */
const plainUpscalers = /^(none|lanczos|nearest|latent\b.*)$/i

/** Upscalers for any subject, the best first. Others are made for a purpose. */
const preferredUpscalers = [/^R-ESRGAN 4x\+$/i, /^RealESRGAN 4x\+$/i, /ESRGAN.*4x|4x.*ESRGAN/i, /4x/i]

/** @param canSwitch false for servers with one model, which have no upscaling */
export async function readExtras(
  client: Automatic1111Client,
  offered: OfferedLoras,
  canSwitch: boolean,
  signal: AbortSignal,
): Promise<ServerExtras> {
  // With the metadata of each file, which may have hundreds of kilobytes.
  const listed = listOf(await client.find('/sdapi/v1/loras', signal, { isLong: true })).map(fieldsOf)
  const hasLoraField = listed.length > 0 && listed.every(({ alias }) => alias === undefined)
  const loras = listed.flatMap(({ name, path }) => {
    const value = hasLoraField ? path : name
    return typeof name === 'string' && typeof value === 'string' ? { name, value } : []
  })
  const upscalers = canSwitch ? listOf(await client.find('/sdapi/v1/upscalers', signal)) : []
  const names = upscalers.map((one) => fieldsOf(one)['name']).filter((name) => typeof name === 'string')
  const real = names.filter((name) => !plainUpscalers.test(name))
  const preferred = preferredUpscalers.flatMap((pattern) => real.find((name) => pattern.test(name)) ?? [])
  return { loras: offerLoras(loras, offered), hasLoraField, upscaler: preferred[0] ?? real[0] ?? null }
}

/** Returns the upscaler of a server. @throws EngineError without one */
export function requireUpscaler({ upscaler }: ServerExtras): string {
  if (upscaler !== null) return upscaler
  throw new EngineError('engine_misconfigured', 'the server has no upscaler')
}
