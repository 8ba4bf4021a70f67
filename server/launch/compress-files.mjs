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
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files) {
    const content = readFileSync(file)
    if (content.byteLength < minBytes) continue
    const variants = { br: brotli(content), gz: gzipSync(content, { level: constants.Z_BEST_COMPRESSION }) }
    for (const [extension, variant] of Object.entries(variants)) {
      if (variant.byteLength < content.byteLength) writeFileSync(`${file}.${extension}`, variant)
    }
  }
}

/** @param {Buffer} content */
function brotli(content) {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  })
}
