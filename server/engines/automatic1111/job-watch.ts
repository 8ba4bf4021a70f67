import type { Logger } from 'pino'
import { timeoutSignal } from '../../tasks/shared-task.ts'
import { EngineError } from '../engine-error.ts'
import { fieldsOf, isRecord } from '../engine-http.ts'
import type { Automatic1111Client } from './automatic1111-client.ts'

/** State of the job that a server runs, of any client. */
type JobStatus = NonNullable<ReturnType<typeof parseStatus>>

/** Reports of a server about its jobs. A function that the server does not have is not requested again until `forget`. */
export class ServerJobs {
  readonly #client: Automatic1111Client
  readonly #log: Logger
  #isProbed = false
  #reportsTasks = true
  /** False once the server turned out to report none. */
  reportsProgress = true

  constructor(client: Automatic1111Client, log: Logger) {
    this.#client = client
    this.#log = log
  }

  /** Asks once whether the server reports its progress. */
  async probe(signal: AbortSignal): Promise<boolean> {
    if (!this.#isProbed) await this.readStatus(signal)
    return this.reportsProgress
  }

  /** Forgets what the server has, as another one or another version may run after it was down. */
  forget(): void {
    this.#isProbed = false
    this.reportsProgress = true
    this.#reportsTasks = true
  }

  /** Reads the state of the running job; null if it is unknown. */
  async readStatus(signal: AbortSignal, { withPreview = false } = {}): Promise<JobStatus | null> {
    if (!this.reportsProgress) return null
    try {
      const query = { skip_current_image: String(!withPreview) }
      const status = await this.#client.request('/sdapi/v1/progress', signal, { query })
      this.#isProbed = true
      return parseStatus(status)
    } catch (error) {
      if (isMissing(error)) {
        this.#isProbed = true
        this.reportsProgress = false
        this.#log.info('the image engine reports no progress; not asking again')
      }
      return null
    }
  }

  /**
   * Reads the state of a task by its `force_task_id`, which AUTOMATIC1111 and Forge know while their web page runs.
   *
   * @returns null if the server does not know the task
   */
  async readTask(id: string, signal: AbortSignal): Promise<'queued' | 'active' | null> {
    if (!this.#reportsTasks) return null
    try {
      const json = { id_task: id, id_live_preview: -1, live_preview: false }
      const task = fieldsOf(await this.#client.request('/internal/progress', signal, { json }))
      return task['active'] === true ? 'active' : task['queued'] === true ? 'queued' : null
    } catch (error) {
      if (error instanceof EngineError && error.facts.status !== undefined) this.#reportsTasks = false
      return null
    }
  }

  /** Interrupts the running job, of any client. @returns false if the server cannot */
  async interrupt(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#client.request('/sdapi/v1/interrupt', signal, { json: {} })
      return true
    } catch (error) {
      return !isMissing(error)
    }
  }
}

/** Reports whether an error says that the server does not have a function. */
function isMissing(error: unknown): boolean {
  return error instanceof EngineError && [404, 405, 501].includes(error.facts.status ?? 0)
}

function parseStatus(body: unknown) {
  if (!isRecord(body)) return null
  const { progress, current_image: preview, id } = body
  const state = fieldsOf(body['state'])
  const { job, job_count: jobCount, job_timestamp: startedAt } = state
  const fraction = typeof progress === 'number' ? Math.min(Math.max(progress, 0), 1) : 0
  return {
    isIdle: fraction === 0 && (typeof jobCount !== 'number' || jobCount === 0),
    /** `scripts_txt2img`, `API-TXT` and the like for requests of the API, `task(…)` or `Text` for users of the web page. */
    job: typeof job === 'string' ? job : '',
    /** Start of the job, in seconds. SD.Next sets it again for each step of a job. */
    startedAt: typeof startedAt === 'string' ? startedAt : '',
    /** Fraction that is done, 0 to 1. */
    progress: fraction,
    /** Base64. */
    preview: typeof preview === 'string' && preview !== '' ? preview : null,
    /** True if the job, or the last one, was interrupted or skipped. */
    isInterrupted: [state['interrupted'], state['skipped'], state['stopping_generation']].includes(true),
    isSdNext: id !== undefined,
  }
}

/** Time that a finished image waits for the last state of its job, in milliseconds. */
const lastCheckMs = 2_000

/** Jobs of requests of the API. Some servers do not name theirs; an enlargement has a name of its own. */
const apiJobs = { image: /^$|^scripts_(txt2img|img2img)$|^API\b/i, upscale: /^$|^extras$|^API\b/i }

/** Steps of a job, which replace its name and start at SD.Next. */
const stepOfJob =
  /^(TE|Prompt|Text ?enc|VAE|Encode|Decode|Base|Hires|Refine|Detail|Save|Load|Model|Upscale|LoRA)/i

/**
 * Finds the job of one call in the state of the server, which describes the running job of any client. Never mistakes another
 * job for it: its preview is another user's, and interrupting it would end their image.
 */
export class JobWatch {
  readonly #jobs: ServerJobs
  readonly #taskId: string
  readonly #apiJob: RegExp
  #wasIdle = false
  #startedAt: string | null = null
  #isLost = false
  #wasInterrupted = false

  /** @param taskId `force_task_id` of the call, which an enlargement has not */
  constructor(jobs: ServerJobs, taskId: string, kind: keyof typeof apiJobs) {
    this.#jobs = jobs
    this.#taskId = taskId
    this.#apiJob = apiJobs[kind]
  }

  /** Reads whether the server is idle, so that the next job is ours. To be called before the call. */
  async prepare(signal: AbortSignal): Promise<void> {
    const status = await this.#jobs.readStatus(signal)
    this.#wasIdle = status?.isIdle ?? false
  }

  /** Reads the state of our job; null if it does not run, or cannot be distinguished from others. */
  async read(signal: AbortSignal): Promise<JobStatus | null> {
    if (this.#isLost) return null
    const status = await this.#jobs.readStatus(signal, { withPreview: true })
    if (!status || status.isIdle) return null
    if (this.#startedAt === null) {
      if (!(await this.#isOurs(status, signal))) return null
      this.#startedAt = status.startedAt
    }
    if (!this.#belongsToOurs(status)) return null
    if (status.isInterrupted) this.#wasInterrupted = true
    return status
  }

  /**
   * Reads whether our job, which has ended, was interrupted: by a user of the server, as the caller stops watching when it
   * interrupts the job itself. The server keeps that until the next job starts.
   */
  async wasInterrupted(signal: AbortSignal): Promise<boolean> {
    if (this.#wasInterrupted || this.#startedAt === null) return this.#wasInterrupted
    const limited = AbortSignal.any([signal, timeoutSignal(lastCheckMs)])
    const status = await this.#jobs.readStatus(limited)
    return status !== null && status.isInterrupted && status.startedAt === this.#startedAt
  }

  async #isOurs(status: JobStatus, signal: AbortSignal): Promise<boolean> {
    if (!this.#apiJob.test(status.job) && !(status.isSdNext && stepOfJob.test(status.job))) return false
    const task = await this.#jobs.readTask(this.#taskId, signal)
    if (task === null) return this.#wasIdle
    if (task === 'queued') return false
    // The job may have started after its state was read.
    return (await this.#jobs.readStatus(signal))?.startedAt === status.startedAt
  }

  #belongsToOurs(status: JobStatus): boolean {
    if (status.startedAt === this.#startedAt) return true
    if (!status.isSdNext) return false
    if (status.job === '') return true
    // SD.Next shows a job as running while it waits for ours.
    if (!stepOfJob.test(status.job)) this.#isLost = true
    return false
  }
}
