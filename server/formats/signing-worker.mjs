/** Signs JPEGs by `@contentauth/c2pa-node`, in a thread of its own. Its source is started by signing.ts, as the build is one file. */
import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'

const { library, certificate, key, algorithm } = workerData
const { Builder, LocalSigner } = await import(library)
const signer = LocalSigner.newSigner(Buffer.from(certificate), Buffer.from(key), algorithm)

const settings = { builder: { thumbnail: { enabled: false } }, verify: { ocsp_fetch: false } }

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)
for await (const [{ jpeg, manifest }] of on(port, 'message')) {
  const builder = Builder.withJson(manifest, settings)
  const output = { buffer: null }
  builder.sign(signer, { buffer: Buffer.from(jpeg), mimeType: 'image/jpeg' }, output)
  port.postMessage(output.buffer)
}
