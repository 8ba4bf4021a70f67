import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type * as AwsS3 from '@aws-sdk/client-s3'
import type { S3StorageConfig } from '../config/storage-section.ts'
import { AppError, StartError, storageFull, storageUnavailable } from '../errors/app-error.ts'
import type { StoredFile } from './blob-store.ts'
import { imageType, isImageFile, isImageFolder } from './uploads-folder.ts'
import { systemClock } from '../time/clock.ts'

/** Timeouts of requests to the object storage: to connect, without a byte, and until the headers of the response. */
const defaultTimeouts = { connectionMs: 2_000, idleMs: 10_000, responseMs: 30_000 }

/** Time to receive one chunk, retries included. */
const chunkTimeoutMs = 60_000

/** `Retry-After` of an error of the object storage. */
const retrySeconds = 5

/**
 * Bytes per request of a download. A chunk is received as a whole, so that a slow client holds memory instead of one of
 * the 50 sockets of the SDK. Most images are one chunk.
 */
const chunkBytes = 1024 ** 2

/** Images never change, and their names are never reused. */
const cacheControl = 'public, max-age=31536000, immutable'

/** Codes of a bucket or an object storage without space. */
const fullCodes = new Set(['QuotaExceeded', 'StorageFull', 'XMinioStorageFull', 'InsufficientStorage'])

/** Folder for everything but images. */
const siteFolder = '.rangoli'

/** Permissions that the server needs, for messages. */
const permissions = 's3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket'

/** Error of the object storage, without the request: its headers and some responses contain credentials. */
class BucketError extends Error {
  override readonly name = 'BucketError'
  /** Code of S3, such as NoSuchBucket, or of the system, such as ECONNREFUSED. */
  readonly code: string
  /** Status of the response; undefined if there was none. */
  readonly status: number | undefined

  constructor(operation: string, error: unknown) {
    const { name, message, code, $metadata } = error as Partial<
      Record<'name' | 'message' | 'code', string>
    > & {
      readonly $metadata?: { readonly httpStatusCode?: number }
    }
    const status = $metadata?.httpStatusCode
    const reason = status === undefined ? (code ?? name ?? 'Error') : (name ?? 'Error')
    super(`${operation}: ${reason}${message ? ` (${message})` : ''}`)
    this.code = reason
    this.status = status
  }
}

interface Chunk {
  readonly bytes: Uint8Array
  /** Size of the whole object in bytes. */
  readonly size: number
  /** Version of the object. */
  readonly ETag: string | undefined
}

/**
 * The objects of a site in a bucket, by keys without `S3_PREFIX`. Every method throws AppError `storage_unavailable` if
 * the object storage fails.
 */
export class Bucket {
  readonly #s3: typeof AwsS3
  readonly #client: AwsS3.S3Client
  readonly #config: S3StorageConfig
  /** False once the object storage has answered that it does not implement conditional writes. */
  #hasConditions = true

  private constructor(s3: typeof AwsS3, client: AwsS3.S3Client, config: S3StorageConfig) {
    this.#s3 = s3
    this.#client = client
    this.#config = config
  }

  /** Creates the client of a bucket, without a request. Loads the SDK, which a site without a bucket never does. */
  static async open(config: S3StorageConfig, timeouts = defaultTimeouts): Promise<Bucket> {
    // The SDK prints to stderr that its releases of 2027 need Node.js 22.
    process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
    const s3 = await import('@aws-sdk/client-s3')
    const client = new s3.S3Client({
      region: config.region,
      forcePathStyle: config.forcePathStyle,
      ...(config.endpoint !== null && { endpoint: config.endpoint }),
      ...(config.credentials && { credentials: config.credentials }),
      maxAttempts: 3,
      // Many object storages reject the default checksums. @see https://github.com/aws/aws-sdk-js-v3/issues/6810
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: timeouts.connectionMs,
        socketTimeout: timeouts.idleMs,
        requestTimeout: timeouts.responseMs,
        throwOnRequestTimeout: true,
      },
    })
    return new Bucket(s3, client, config)
  }

  /** Opens a bucket. @throws StartError unless objects can be listed, read, written and deleted */
  static async openUsable(config: S3StorageConfig): Promise<Bucket> {
    const bucket = await Bucket.open(config)
    try {
      const issue = await bucket.findIssue()
      if (!issue) return bucket
      throw new StartError(`${issue.variable}: ${issue.what}. ${issue.fix}`, { cause: issue.cause })
    } catch (error) {
      bucket.close()
      throw error
    }
  }

  get name(): string {
    return this.#config.bucket
  }

  close(): void {
    this.#client.destroy()
  }

  /** Lists, writes, reads and deletes an object. Returns the first issue, or null. */
  async findIssue() {
    try {
      await this.hasImages()
      const key = `${siteFolder}/check-${randomUUID()}`
      const bytes = Buffer.from('This object may be deleted.\n')
      try {
        await this.#put(key, bytes, { ContentType: 'text/plain' })
        const read = await this.#read(key)
        if (!read || !bytes.equals(read)) throw foreignAnswer('GetObject')
      } catch (error) {
        // This error is the issue, not another one of deleting.
        await Promise.allSettled([this.delete(key)])
        throw error
      }
      await this.delete(key)
      return null
    } catch (error) {
      const cause = bucketErrorOf(error)
      if (!cause) throw error
      return describeIssue(cause, this.#config)
    }
  }

  /** Stores a file of an image. An object of that key is kept, and is an error if it has another size. */
  async put(folder: string, file: string, bytes: Uint8Array): Promise<void> {
    const key = `${folder}/${file}`
    const condition = this.#hasConditions ? { IfNoneMatch: '*' } : {}
    try {
      await this.#put(key, bytes, { ...headersOf(file), ...condition })
    } catch (error) {
      const status = bucketErrorOf(error)?.status
      if (this.#hasConditions && status === 501) {
        this.#hasConditions = false
        return this.put(folder, file, bytes)
      }
      // Names are random: an existing object was written by an attempt whose response was lost.
      if (status !== 412 || (await this.size(folder, file)) !== bytes.byteLength) throw error
    }
  }

  /** Stores a file of an image, or replaces it. */
  async replace(folder: string, file: string, bytes: Uint8Array): Promise<void> {
    await this.#put(`${folder}/${file}`, bytes, headersOf(file))
  }

  async #put(
    key: string,
    bytes: Uint8Array,
    headers: { ContentType: string; CacheControl?: string; IfNoneMatch?: string },
  ): Promise<void> {
    // Whole, as a stream would be sent with a trailer that other object storages store as part of the object.
    const input = { ...this.#address(key), Body: bytes, ContentLength: bytes.byteLength, ...headers }
    const request = this.#client.send(new this.#s3.PutObjectCommand(input))
    const { ETag } = await this.#answer(`PutObject ${key}`, request)
    if (ETag === undefined) throw foreignAnswer(`PutObject ${key}`)
  }

  /** Returns the size of a file in bytes; null if it does not exist. */
  async size(folder: string, file: string): Promise<number | null> {
    const key = imageKey(folder, file)
    if (key === null) return null
    const request = this.#client.send(new this.#s3.HeadObjectCommand(this.#address(key)))
    const found = await nullIfNoObject(this.#object(`HeadObject ${key}`, request))
    return found && (found.ContentLength ?? 0)
  }

  /** Opens a file; null if it does not exist. Its first chunk is received already. */
  async open(folder: string, file: string): Promise<StoredFile | null> {
    const key = imageKey(folder, file)
    const first = key && (await this.#readChunk(key, 0))
    if (!key || !first) return null
    return { size: first.size, stream: () => Readable.from(this.#chunks(key, first), { objectMode: false }) }
  }

  /** Reads a whole file; null if it does not exist. */
  async read(folder: string, file: string): Promise<Uint8Array | null> {
    const key = imageKey(folder, file)
    return key === null ? null : this.#read(key)
  }

  async #read(key: string): Promise<Uint8Array | null> {
    const first = await this.#readChunk(key, 0)
    if (!first || first.bytes.byteLength === first.size) return first && first.bytes
    const chunks: Uint8Array[] = []
    for await (const bytes of this.#chunks(key, first)) chunks.push(bytes)
    return Buffer.concat(chunks)
  }

  async *#chunks(key: string, first: Chunk): AsyncGenerator<Uint8Array> {
    if (first.size > 0) yield first.bytes
    let received = first.bytes.byteLength
    while (received < first.size) {
      const chunk = await this.#readChunk(key, received, first.ETag)
      if (!chunk || chunk.bytes.byteLength === 0) {
        throw storageUnavailable(new Error(`${key} was deleted while it was read.`), retrySeconds)
      }
      yield chunk.bytes
      received += chunk.bytes.byteLength
    }
  }

  async #readChunk(key: string, from: number, etag?: string): Promise<Chunk | null> {
    const input = {
      ...this.#address(key),
      Range: `bytes=${from}-${from + chunkBytes - 1}`,
      ...(etag !== undefined && { IfMatch: etag }),
    }
    const receive = async () => {
      const abortSignal = AbortSignal.timeout(chunkTimeoutMs)
      const command = new this.#s3.GetObjectCommand(input)
      const answer = await this.#client.send(command, { abortSignal })
      const { Body, ContentRange, ContentLength, ContentType, ETag } = answer
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array()
      const size = Number(/\/(\d+)$/.exec(ContentRange ?? '')?.[1] ?? ContentLength ?? bytes.byteLength)
      return { bytes, size, ETag, ContentType }
    }
    try {
      return await nullIfNoObject(this.#object(`GetObject ${key}`, receive()))
    } catch (error) {
      // An empty object has no first byte.
      if (from > 0 || bucketErrorOf(error)?.status !== 416) throw error
      return { bytes: new Uint8Array(), size: 0, ETag: undefined }
    }
  }

  /** Deletes an object. A missing one is no error. */
  async delete(key: string): Promise<void> {
    const request = this.#client.send(new this.#s3.DeleteObjectCommand(this.#address(key)))
    await nullIfNoObject(this.#answer(`DeleteObject ${key}`, request))
  }

  /** Lists the objects whose keys begin with `start`, sorted by key, with the times of their last changes in milliseconds since 1970. */
  async *list(start = '') {
    const { bucket, prefix } = this.#config
    let token: string | undefined
    do {
      const input = {
        Bucket: bucket,
        Prefix: prefix + start,
        ...(token !== undefined && { ContinuationToken: token }),
      }
      const request = this.#client.send(new this.#s3.ListObjectsV2Command(input))
      const page = await this.#answer(`ListObjectsV2 ${start}`, request)
      if (page.IsTruncated === undefined) throw foreignAnswer(`ListObjectsV2 ${start}`)
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue
        const changedAt = LastModified?.getTime() ?? systemClock()
        yield { key: Key.slice(prefix.length), bytes: Size, changedAt }
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
  }

  async hasImages(): Promise<boolean> {
    for await (const { key } of this.list()) if (isImageFolder(folderOf(key))) return true
    return false
  }

  /** Reads the id of the site that the images belong to; null if they belong to none yet. */
  async siteId(): Promise<string | null> {
    const bytes = await this.#read(`${siteFolder}/site.json`)
    if (!bytes) return null
    try {
      const { id } = JSON.parse(Buffer.from(bytes).toString()) as { readonly id?: unknown }
      return typeof id === 'string' ? id : 'unreadable'
    } catch {
      return 'unreadable'
    }
  }

  /** Writes the id of the site, replacing an earlier one. */
  async writeSiteId(id: string): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify({ id })}\n`)
    await this.#put(`${siteFolder}/site.json`, bytes, { ContentType: 'application/json' })
  }

  /** Returns where an object is, as requests name it. */
  #address(key: string) {
    return { Bucket: this.#config.bucket, Key: this.#config.prefix + key }
  }

  /** Waits for a response with an object or about one. No object is HTML: that is a page of a proxy. */
  async #object<Answer extends { readonly ContentType?: string | undefined }>(
    operation: string,
    request: Promise<Answer>,
  ): Promise<Answer> {
    const answer = await this.#answer(operation, request)
    if (answer.ContentType?.startsWith('text/html')) throw foreignAnswer(operation)
    return answer
  }

  /** Waits for a response. @throws AppError `storage_full`, `storage_unavailable` in place of any error */
  async #answer<Response>(operation: string, request: Promise<Response>): Promise<Response> {
    try {
      return await request
    } catch (error) {
      if (error instanceof TypeError) throw error
      const cause = new BucketError(operation, error)
      const isFull = fullCodes.has(cause.code) || cause.status === 507
      throw isFull ? storageFull(cause) : storageUnavailable(cause, retrySeconds)
    }
  }
}

/** Creates the error of a response that is not of an object storage. */
function foreignAnswer(operation: string): AppError {
  return storageUnavailable(new BucketError(operation, { code: 'ForeignAnswer' }), retrySeconds)
}

export function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')))
}

/** Returns the key of a file; null for names that no image has. */
function imageKey(folder: string, file: string): string | null {
  return isImageFolder(folder) && isImageFile(file) ? `${folder}/${file}` : null
}

/** Returns the error of the object storage that an AppError stands for, or null. */
function bucketErrorOf(error: unknown): BucketError | null {
  return error instanceof AppError && error.cause instanceof BucketError ? error.cause : null
}

function headersOf(file: string) {
  return { ContentType: imageType(file), CacheControl: cacheControl }
}

/** Waits for a response; null if the object does not exist. A missing bucket is an error. */
async function nullIfNoObject<Response>(request: Promise<Response>): Promise<Response | null> {
  try {
    return await request
  } catch (error) {
    const cause = bucketErrorOf(error)
    if (cause?.status === 404 && cause.code !== 'NoSuchBucket') return null
    throw error
  }
}

/** Returns the variable, what is wrong with it as a sentence without a full stop, and a sentence with the fix. */
function describeIssue(cause: BucketError, { bucket, endpoint, region }: S3StorageConfig) {
  const { code, status, message } = cause
  const place = endpoint ?? 'AWS'
  const issue = (variable: string, what: string, fix: string) => ({ variable, what, fix, cause })
  if (code === 'CredentialsProviderError') {
    const what = 'is missing, and the AWS SDK finds no other credentials'
    return issue('S3_ACCESS_KEY_ID', what, 'Set it and S3_SECRET_ACCESS_KEY.')
  }
  if (code === 'ForeignAnswer') {
    const fix = 'Name the address of the object storage, not that of another program.'
    return issue('S3_ENDPOINT', `${place} does not return what was stored`, fix)
  }
  if (status === undefined) {
    const fix = 'Correct it, or start the object storage.'
    return issue('S3_ENDPOINT', `${place} does not answer (${code})`, fix)
  }
  if (code === 'NoSuchBucket') {
    const fix = 'Create it, or correct the name.'
    return issue('S3_BUCKET', `the bucket ${bucket} does not exist at ${place}`, fix)
  }
  if (code === 'InvalidAccessKeyId')
    return issue('S3_ACCESS_KEY_ID', `${place} does not know this key`, 'Correct it.')
  if (code === 'SignatureDoesNotMatch')
    return issue('S3_SECRET_ACCESS_KEY', 'it does not belong to S3_ACCESS_KEY_ID', 'Correct one of them.')
  if (status === 301 || code === 'AuthorizationHeaderMalformed')
    return issue('S3_REGION', `the bucket ${bucket} is not in ${region}`, 'Set the region of the bucket.')
  if (status === 403) {
    const what = `access to the bucket ${bucket} is denied (${message})`
    return issue('S3_BUCKET', what, `Allow ${permissions}.`)
  }
  const what = `the bucket ${bucket} at ${place} cannot be used (${message})`
  return issue('S3_BUCKET', what, 'Check S3_ENDPOINT and the bucket.')
}
