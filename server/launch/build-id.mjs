import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What a build is made of. */
const sources = ['src', 'server', 'shared', 'public', 'package-lock.json', 'vite.config.ts']

/**
 * Names the build of the present sources by their digest.
 *
 * @param {string} root the project's folder
 * @returns {string} 16 hexadecimal digits
 */
export function buildId(root) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesBelow(root, source)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * @param {string} root
 * @param {string} source a file or folder, relative to the root
 * @returns {string[]} relative paths; tests are left out, as no build holds them
 */
function filesBelow(root, source) {
  if (path.extname(source)) return [source]
  return readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
}
