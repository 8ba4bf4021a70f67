import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Files that are text; images are compressed already. */
const compressible = /\.(?:css|html|js|json|svg|txt|webmanifest|xml)$/

/** A file that fits into one packet anyway gains nothing, in bytes. */
const smallest = 1_024

/**
 * Puts each file's compressed forms beside it, as small as they get, where they are smaller; servers pick the one that a
 * browser takes.
 *
 * @param {string} directory a client's build
 */
export function compressFiles(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files) {
    const content = readFileSync(file)
    if (content.byteLength < smallest) continue
    const forms = { br: brotli(content), gz: gzipSync(content, { level: constants.Z_BEST_COMPRESSION }) }
    for (const [extension, form] of Object.entries(forms)) {
      if (form.byteLength < content.byteLength) writeFileSync(`${file}.${extension}`, form)
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
