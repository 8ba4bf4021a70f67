/** Signs JPEGs by `@contentauth/c2pa-node`, in a thread of its own. Its source is started by signing.ts, as the build is one file. */
import { on } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { library, certificate, key, algorithm, timestampUrl } = workerData
const { Builder, CallbackSigner, LocalSigner } = await import(library)
const signer = LocalSigner.newSigner(Buffer.from(certificate), Buffer.from(key), algorithm)

/** Asks the authority for a timestamp, for which synchronous signers of the library have no HTTP client. */
const timestampSigner =
  timestampUrl &&
  CallbackSigner.newSigner(
    {
      alg: algorithm,
      certs: [Buffer.from(certificate)],
      reserveSize: 20_000,
      tsaUrl: timestampUrl,
      directCoseHandling: false,
    },
    async (/** @type {Buffer} */ data) => signer.sign(data),
  )

/** Time after which an image is signed without a timestamp, as the library has no timeout, in milliseconds. */
const timestampTimeoutMs = 5_000

/** Time during which others do not wait for an authority that has failed, in milliseconds. */
const timestampPauseMs = 60_000
let pausedUntil = 0

const settings = { builder: { thumbnail: { enabled: false } }, verify: { ocsp_fetch: false } }

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
for await (const [{ jpeg, manifest }] of on(port, 'message')) {
  const input = { buffer: Buffer.from(jpeg), mimeType: 'image/jpeg' }
  const output = { buffer: null }
  let timestampError = null
  if (timestampSigner && performance.now() >= pausedUntil) {
    const signed = Builder.withJson(manifest, settings).signAsync(timestampSigner, input, output)
    const timeout = setTimeout(timestampTimeoutMs, new Error('no answer in 5 seconds'))
    timestampError = await Promise.race([signed.then(() => null), timeout]).catch((error) => error)
    if (timestampError) pausedUntil = performance.now() + timestampPauseMs
  }
  if (!output.buffer) Builder.withJson(manifest, settings).sign(signer, input, output)
  port.postMessage({ signed: output.buffer, timestampError })
}
