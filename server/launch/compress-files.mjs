import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Matches text files; images are already compressed. */
const compressible = /\.(?:css|html|js|json|svg|txt|webmanifest|xml)$/

/** Smaller files fit into one packet anyway. */
const minBytes = 1_024

/**
 * Writes compressed variants of each file next to it, at maximum compression, unless they are larger.
 *
 * @param {string} directory a client's build
 */
export function compressFiles(directory) {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    const content = entry.isFile() && compressible.test(file) ? readFileSync(file) : Buffer.alloc(0)
    if (content.byteLength < minBytes) continue
    const params = {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    }
    const gz = gzipSync(content, { level: constants.Z_BEST_COMPRESSION })
    for (const [extension, variant] of Object.entries({ br: brotliCompressSync(content, { params }), gz })) {
      if (variant.byteLength < content.byteLength) writeFileSync(`${file}.${extension}`, variant)
    }
  }
}
