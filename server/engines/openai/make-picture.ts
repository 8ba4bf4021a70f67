import type { EngineEvent } from '../image-engine.ts'
import { faultOfError } from './describe-fault.ts'
import type { Endpoint } from './endpoint.ts'
import { EngineFault } from './engine-fault.ts'
import { fetchPicture } from './fetch-picture.ts'
import type { PictureSource } from './parse-answer.ts'
import { decodePicture } from './picture-bytes.ts'
import { readAnswer } from './read-answer.ts'
import { sendRequest, type Sender } from './send-request.ts'

/** What pictures are made with. */
export interface PictureMaker extends Sender {
  readonly endpoint: Endpoint
  readonly model: string
  /** Told how a finished picture came: within the answer, or as an address to fetch it from. */
  readonly onPicture?: (form: 'base64' | 'url') => void
}

/**
 * Has one picture made, with previews where the endpoint gives them. A stream that ends well but without the picture
 * is asked for once more as a plain answer, and no stream is asked of this endpoint from then on.
 *
 * @throws EngineFault, or a system error of the connection
 */
export async function* makePicture(
  maker: PictureMaker,
  prompt: string,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const { response, streamed } = await sendRequest(maker, prompt, signal)
  let completedEmpty = false
  for await (const message of readAnswer(response.body ?? ReadableStream.from<Uint8Array>([]))) {
    if (message.type === 'error') throw faultOfError(undefined, message.error, response.headers)
    if (message.type === 'partial') yield* preview(message.source)
    if (message.type !== 'completed' && message.type !== 'plain') continue
    if (message.source) {
      maker.onPicture?.('base64' in message.source ? 'base64' : 'url')
      yield { type: 'complete', bytes: await load(message.source, maker.endpoint, signal) }
      return
    }
    if (message.type === 'plain') throw emptyAnswer(maker.model)
    completedEmpty = true
    break
  }
  if (!completedEmpty || !streamed) {
    throw new EngineFault('engine_failed', 'the answer ended without a picture')
  }
  maker.log.info('the image service streams without pictures; it is not asked for a stream from now on')
  maker.parameters.drop('stream')
  yield* makePicture(maker, prompt, signal)
}

/** A preview that can't be shown is left out; it costs nobody the picture. */
function* preview(source: PictureSource | null): Generator<EngineEvent, void> {
  if (!source || !('base64' in source)) return
  try {
    yield { type: 'partial', bytes: decodePicture(source.base64) }
  } catch (error) {
    if (!(error instanceof EngineFault)) throw error
  }
}

async function load(source: PictureSource, endpoint: Endpoint, signal: AbortSignal): Promise<Uint8Array> {
  if ('base64' in source) return decodePicture(source.base64)
  return fetchPicture(source.url, { ownOrigin: endpoint.origin, signal })
}

/** xAI's way to say that a prompt is blocked is a success without data; with other models it is just a failure. */
function emptyAnswer(model: string): EngineFault {
  const code = /(^|\/)grok-/i.test(model) ? 'prompt_blocked' : 'engine_failed'
  return new EngineFault(code, 'the answer has no picture')
}
