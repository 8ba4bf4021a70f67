import { EventEmitter, once } from 'node:events'
import { WebSocket } from 'ws'
import { sniffFormat } from '../../formats/image-files.ts'
import { timeoutSignal } from '../../tasks/shared-task.ts'
import type { EngineError } from '../engine-error.ts'
import { fieldsOf, listOf, parseJson } from '../engine-http.ts'
import { type ComfyUiClient, type JobOutput, readOutputs } from './comfyui-client.ts'
import { executionError } from './comfyui-errors.ts'
import type { ComfyUiNode, ComfyUiWorkflow } from './workflow.ts'

const openTimeoutMs = 5_000

const pongTimeoutMs = 2_000

/** Maximum size of a message, in bytes: a preview of 512 pixels, or the outputs of a node. */
const messageMaxBytes = 8_000_000

/** Maximum size of all messages of a job, in bytes. The connection is closed then, and the job is looked up instead. */
const feedMaxBytes = 256_000_000

/** Maximum number of files of a job that are remembered. */
const maxOutputs = 100

/** Type of a binary message with a preview and its metadata, which name the job. */
const previewWithMetadata = 4

/**
 * State of a job as the server reports it on a WebSocket. Only hints, as the connection may be lost: the history of the
 * server contains the end of the job. Without a connection, it stays as it is.
 */
export class JobFeed {
  isConnected = false
  error: EngineError | null = null
  /** True once the job has ended in any way. */
  hasEnded = false
  /** Files that the job has written so far. */
  readonly outputs: JobOutput[] = []
  readonly #jobId: string
  readonly #progress: WorkflowProgress
  #socket: WebSocket | null = null
  #preview: Uint8Array | null = null
  #hasChanged = false
  readonly #messages = new EventEmitter()

  constructor(jobId: string, workflow: ComfyUiWorkflow) {
    this.#jobId = jobId
    this.#progress = new WorkflowProgress(workflow)
  }

  /** Fraction of the job that is done. */
  get progress(): number {
    return this.#progress.value
  }

  /** Returns the latest preview, once. Earlier ones are skipped if the reader is slower than the server. */
  takePreview(): Uint8Array | null {
    const preview = this.#preview
    this.#preview = null
    return preview
  }

  /**
   * Connects, before the job is submitted.
   *
   * @param clientId new for each connection: the server may reject an id whose earlier connection it believes to be open
   * @returns false if the connection cannot be opened
   */
  async connect(client: ComfyUiClient, clientId: string): Promise<boolean> {
    const socket = new WebSocket(client.socketUrl(clientId), {
      headers: { ...client.server.headers },
      handshakeTimeout: openTimeoutMs,
      maxPayload: messageMaxBytes,
      perMessageDeflate: false,
    })
    this.#socket = socket
    let received = 0
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      received += data.length
      if (received > feedMaxBytes) return this.close()
      if (isBinary) this.#receivePreview(data)
      else this.#receiveEvent(fieldsOf(parseJson(data.toString())))
      this.#changed()
    })
    // An error is followed by `close`.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isConnected = false
      this.#changed()
    })
    try {
      await once(socket, 'open')
    } catch {
      return false
    }
    this.isConnected = true
    // The server reads this from the first message only. Previews without metadata do not name their job.
    socket.send(JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } }))
    return true
  }

  /** Checks that the server knows the connection: the end of one may go unnoticed. */
  async isAlive(): Promise<boolean> {
    if (!this.#socket || !this.isConnected) return false
    try {
      this.#socket.ping()
      await once(this.#socket, 'pong', { signal: AbortSignal.timeout(pongTimeoutMs) })
      return true
    } catch {
      return false
    }
  }

  /** Waits for the next message. @throws the reason of `signal` */
  async changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, timeoutSignal(Math.max(0, Math.ceil(timeoutMs)))])
    if (!this.#hasChanged) await once(this.#messages, 'change', { signal: limited }).catch(() => {})
    this.#hasChanged = false
    signal.throwIfAborted()
  }

  close(): void {
    this.#socket?.terminate()
  }

  #changed(): void {
    this.#hasChanged = true
    this.#messages.emit('change')
  }

  /** Reads a big-endian message type, the length of the metadata, the metadata as JSON, and the image. */
  #receivePreview(bytes: Buffer): void {
    if (bytes.length < 8 || bytes.readUInt32BE(0) !== previewWithMetadata) return
    const end = 8 + bytes.readUInt32BE(4)
    const metadata = fieldsOf(parseJson(bytes.subarray(8, end).toString()))
    if (metadata['prompt_id'] !== this.#jobId) return
    const image = bytes.subarray(end)
    if (sniffFormat(image)) this.#preview = image
  }

  #receiveEvent({ type, data: content }: Readonly<Record<string, unknown>>): void {
    const data = fieldsOf(content)
    if (data['prompt_id'] !== this.#jobId) return
    this.error ??= executionError(type, data)
    const { node, nodes, value, max, output } = data
    if (type === 'execution_cached') {
      for (const cached of listOf(nodes)) this.#progress.advance(cached, 1)
    } else if (type === 'executing') {
      if (node === null) this.hasEnded = true
      else this.#progress.start(node)
    } else if (type === 'progress') {
      this.#progress.advance(node, Number(value) / Number(max))
    } else if (type === 'executed' && typeof node === 'string') {
      this.outputs.push(...readOutputs({ [node]: output }).slice(0, maxOutputs - this.outputs.length))
    } else if (/^execution_(success|error|interrupted)$/.test(String(type))) {
      this.hasEnded = true
    }
  }
}

/** Highest fraction of a generation that is not finished: the image is decoded after its samplers. */
const unfinishedMax = 0.99

/** Fraction of a generation that is done: that of its samplers, or of all nodes if it has none. Never decreases. */
export class WorkflowProgress {
  /** Fractions by node. */
  readonly #done: Map<unknown, number>
  #current: unknown = null
  #value = 0

  constructor(workflow: ComfyUiWorkflow) {
    const nodes = Object.entries(workflow)
    const samplers = nodes.filter(([, node]) => isSampler(node))
    this.#done = new Map((samplers.length > 0 ? samplers : nodes).map(([id]) => [id, 0]))
  }

  get value(): number {
    return this.#value
  }

  /** Records that a node has started, and with that, that the one before has ended. */
  start(node: unknown): void {
    if (this.#current !== node) this.advance(this.#current, 1)
    this.#current = node
  }

  /** @param fraction part of the node's work that is done */
  advance(node: unknown, fraction: number): void {
    if (!(fraction >= 0 && fraction <= 1) || !this.#done.has(node)) return
    this.#done.set(node, fraction)
    const sum = [...this.#done.values()].reduce((total, done) => total + done)
    this.#value = Math.max(this.#value, Math.min(unfinishedMax, sum / this.#done.size))
  }
}

function isSampler({ class_type: classType, inputs }: ComfyUiNode): boolean {
  return /sampler/i.test(classType) && 'latent_image' in inputs
}
