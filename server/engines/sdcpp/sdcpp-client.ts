import type { EngineConfig } from '../../config/engine-section.ts'
import { cancelTimeoutMs, EngineClient, transferTimeoutMs, unexpectedResponse } from '../engine-client.ts'
import { EngineError, interruptedError } from '../engine-error.ts'
import { fieldsOf, jsonMaxBytes, listOf, parseJson } from '../engine-http.ts'
import type { OfferedLoras } from '../loras.ts'
import { readModel, type ServerModel } from './capabilities.ts'

/** HTTP client of one `sd-server`. */
export class SdCppClient extends EngineClient {
  readonly #offered: OfferedLoras

  constructor(config: Pick<EngineConfig<'sdcpp'>, 'url' | 'headers' | 'loras'>) {
    super(config, { api: 'stable-diffusion.cpp', maxBytes: jsonMaxBytes })
    this.#offered = config.loras
  }

  async readModel(signal: AbortSignal): Promise<ServerModel> {
    const { body } = await this.request('/sdcpp/v1/capabilities', signal)
    return readModel(parseJson(body.toString()), this.#offered)
  }

  /** Submits a job. The server runs a job that is submitted twice twice. @returns its id */
  async submit(json: object): Promise<string> {
    const call = { json, timeoutMs: transferTimeoutMs, expected: [202] }
    const { body } = await this.request('/sdcpp/v1/img_gen', new AbortController().signal, call)
    const { id } = fieldsOf(parseJson(body.toString()))
    if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) throw unexpectedResponse()
    return id
  }

  /**
   * @returns the image in base64 once the job has ended, and how many wait ahead of it until it has started; null after a
   *   restart of the server, which keeps jobs in memory
   * @throws EngineError also for a failed job
   */
  async findJob(jobId: string, signal: AbortSignal) {
    const call = { timeoutMs: transferTimeoutMs, expected: [200, 404, 410] }
    const { status, body } = await this.request(`/sdcpp/v1/jobs/${jobId}`, signal, call)
    if (status === 404) return null
    if (status === 410) throw new EngineError('engine_failed', 'the server no longer has the image')
    const { status: state, queue_position: position, result } = fieldsOf(parseJson(body.toString()))
    if (state === 'queued') return { ahead: Math.max(0, Number(position) - 1 || 0), image: null }
    if (state === 'generating') return { ahead: null, image: null }
    if (state === 'cancelled') throw interruptedError()
    if (state === 'failed')
      throw new EngineError('engine_failed', 'the job failed: read the log of sd-server')
    const image = fieldsOf(listOf(fieldsOf(result)['images'])[0])['b64_json']
    if (state !== 'completed' || typeof image !== 'string') throw unexpectedResponse()
    return { ahead: null, image }
  }

  /** Removes a job from the queue. The server does not interrupt one that runs. */
  async cancel(jobId: string): Promise<void> {
    const signal = AbortSignal.timeout(cancelTimeoutMs)
    await this.request(`/sdcpp/v1/jobs/${jobId}/cancel`, signal, { json: {}, expected: [200, 404, 409, 410] })
  }
}
