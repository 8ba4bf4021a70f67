import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { postPath } from '../../shared/routes.ts'
import { version } from '../../shared/version.ts'
import type { Config } from '../config/config.ts'
import type { SigningConfig } from '../config/signing-section.ts'
import { hasContentCredentials } from './image-files.ts'
import { digitalSourceTypeOf, type ImageProducer } from './xmp.ts'

const [workerSource = ''] = Object.values(
  import.meta.glob<string>('./signing-worker.mjs', { query: '?raw', import: 'default', eager: true }),
)

const packageName = '@contentauth/c2pa-node'

/** No peer in package.json: npm would leave it out without a word, also where it cannot be installed. */
const installCommand = `npm install --no-save ${packageName}@0.8`

/** Time after which a signature has failed, with the wait for others, in milliseconds. One takes some 20, the first 1,000. */
const timeoutMs = 15_000

/** Returns the URL of the library; null if it is not installed. */
function findLibrary(): string | null {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(packageName)).href
  } catch {
    return null
  }
}

/** Describes why images cannot be signed, with the fix; null if nothing is known to be wrong. */
export function findSigningIssue(
  { certificate }: SigningConfig,
  nodeVersion: string,
  now: number,
  library = findLibrary(),
): { readonly text: string; readonly fix: string } | null {
  const issue = (reason: string, fix: string) => ({ text: `Images are not signed: ${reason}.`, fix })
  if (Number.parseInt(nodeVersion.slice(1), 10) < 22)
    return issue(
      `${packageName} requires Node 22 or newer, and this is ${nodeVersion}`,
      'Install a newer one.',
    )
  if (library === null)
    return issue(`${packageName} is not installed`, `In a checkout, run: ${installCommand}`)
  const { validFrom, validTo } = new X509Certificate(certificate)
  if (now >= Date.parse(validFrom) && now <= Date.parse(validTo)) return null
  return issue(`C2PA_CERTIFICATE is valid from ${validFrom} to ${validTo}`, 'Renew it.')
}

/**
 * What an image was made from: the number of its reference images, which are private, and the id of a public post that it remixes.
 * Their own manifests are left out, as a file would contain one of every remix before it.
 */
export interface ImageOrigin {
  readonly references: number
  readonly remixOf: string | null
}

/** Signs a JPEG with Content Credentials, after which its bytes may not change. @throws Error if it cannot be signed */
export type SignImage = ReturnType<typeof createSigner>

/** Creates a function that signs generated images one after the other, in a thread that is started with the first one. */
export function createSigner(
  config: SigningConfig,
  { publicOrigin, siteName }: Pick<Config, 'publicOrigin' | 'siteName'>,
  onTimestampError: (error: unknown) => void,
  library = findLibrary(),
) {
  const source = new URL(`data:text/javascript,${encodeURIComponent(workerSource)}`)
  const limit = pLimit(1)
  let running: Worker | undefined

  function start(): Worker {
    const worker = new Worker(source, { workerData: { ...config, library } })
    const forget = () => {
      if (running === worker) running = undefined
    }
    // Also between two images.
    return worker.on('error', forget).on('exit', forget)
  }

  async function ask(request: object, signal: AbortSignal) {
    signal.throwIfAborted()
    const worker = (running ??= start())
    worker.ref()
    try {
      worker.postMessage(request)
      const [answer]: unknown[] = await once(worker, 'message', { signal })
      return answer as { readonly signed: unknown; readonly timestampError: unknown }
    } catch (error) {
      // An error of the library ends the thread, too. One that hangs in native code ends after that.
      running = undefined
      void worker.terminate()
      throw error
    } finally {
      worker.unref()
    }
  }

  return async (jpeg: Uint8Array, producer: ImageProducer, origin: ImageOrigin): Promise<Uint8Array> => {
    const { references, remixOf } = origin
    const address = remixOf && publicOrigin && { informational_URI: publicOrigin + postPath(remixOf) }
    const inputs = [
      ...Array.from({ length: references }, () => ({ title: 'Reference image' })),
      ...(remixOf ? [{ title: 'Remixed post', ...address }] : []),
    ]
    const ingredients = inputs.map((input, index) =>
      Object.assign(input, { relationship: 'inputTo', label: `input-${index}` }),
    )
    const created = {
      action: 'c2pa.created',
      digitalSourceType: digitalSourceTypeOf(producer.kind),
      softwareAgent: { name: producer.model || producer.kind },
      ...(ingredients.length > 0 && { parameters: { ingredientIds: ingredients.map(({ label }) => label) } }),
    }
    const manifest = {
      claim_generator_info: [{ name: 'Rangoli', version, site: publicOrigin ?? siteName }],
      ingredients,
      assertions: [{ label: 'c2pa.actions.v2', data: { actions: [created] } }],
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const { signed, timestampError } = await limit(() => ask({ jpeg, manifest }, signal))
    if (timestampError) onTimestampError(timestampError)
    if (signed instanceof Uint8Array && hasContentCredentials(signed)) return signed
    throw new Error('The library returned no signed JPEG.')
  }
}
