/**
 * Has the shape of what is used of `@contentauth/c2pa-node` 0.8 and 0.9. Writes what it is asked to sign into the segment of a
 * JPEG in which manifests are.
 */

export const LocalSigner = {
  /** @param {Uint8Array} certificate @param {Uint8Array} key @param {string} algorithm */
  newSigner(certificate, key, algorithm) {
    if (!/BEGIN CERTIFICATE.*BEGIN PRIVATE KEY/s.test([certificate, key].join()))
      throw new Error('invalid X509 certificate')
    return { algorithm }
  },
}

export const CallbackSigner = {
  /** @param {{ alg: string; tsaUrl: string }} config */
  newSigner: ({ alg, tsaUrl }) => ({ algorithm: alg, timestampUrl: tsaUrl }),
}

export class Builder {
  /** @param {any} manifest @param {object} settings */
  static withJson(manifest, settings) {
    return new Builder(manifest, settings)
  }

  /** @param {any} manifest @param {object} settings */
  constructor(manifest, settings) {
    this.manifest = manifest
    this.settings = settings
  }

  /** @param {Record<string, string>} signer @param {{ buffer: Uint8Array }} input @param {{ buffer: Uint8Array | null }} output */
  sign({ algorithm, timestampUrl }, { buffer }, output) {
    const { manifest, settings } = this
    if (JSON.stringify(manifest).includes('a model that fails')) throw new Error('bad parameter')
    if (timestampUrl?.includes('down')) throw new Error('no timestamp')
    const text = JSON.stringify({ manifest, settings, algorithm, timestampUrl })
    const content = Buffer.from(`JP\0\x01\0\0\0\x01\0\0\0\x20jumb\0\0\0\x10jumdc2pa${text}`)
    const head = Buffer.from([0xff, 0xeb, 0, 0])
    head.writeUInt16BE(content.length + 2, 2)
    output.buffer = Buffer.concat([buffer.subarray(0, 2), head, content, buffer.subarray(2)])
    return content
  }

  /** @param {Parameters<Builder['sign']>} inputs */
  async signAsync(...inputs) {
    return this.sign(...inputs)
  }
}
