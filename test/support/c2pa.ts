import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { contentCredentials } from '../../server/formats/image-files.ts'
import { tempFolder } from './folder.ts'

/** URL of the double of the library that signs images. */
export const libraryDouble = new URL('c2pa-double.mjs', import.meta.url).href

/** Creates a certificate that is valid for a year from now, and its key. */
export async function createCertificate(curve = 'prime256v1') {
  const folder = await tempFolder()
  const [certificate, key] = [path.join(folder, 'certificate.pem'), path.join(folder, 'key.pem')]
  const options = ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${curve}`, '-nodes', '-days', '365']
  const subject = ['-subj', '/CN=gallery.example.org']
  execFileSync('openssl', ['req', '-x509', ...options, ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })
  const read = (file: string) => readFileSync(file, 'utf8').trim()
  return { C2PA_CERTIFICATE: read(certificate), C2PA_KEY: read(key) }
}

/** Reads what the double of the library was asked to sign. */
export function readSigned(jpeg: Uint8Array) {
  const manifests = contentCredentials(jpeg)?.toString() ?? ''
  return JSON.parse(manifests.slice(manifests.indexOf('{'))) as object
}

/** A library that cannot be loaded. */
export const missingBinary = `file://${fileURLToPath(import.meta.url)}.missing`
