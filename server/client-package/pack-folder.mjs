import path from 'node:path'
import { runNpm } from '../launch/npm.mjs'

/**
 * Packs a package as npm would publish it. The same files result in the same bytes.
 *
 * @param {string} folder folder of package.json
 * @param {string} directory folder for the tarball
 * @returns {string} path of the tarball
 */
export function packFolder(folder, directory) {
  const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', directory]
  const [{ filename }] = JSON.parse(runNpm(args, folder))
  return path.join(directory, filename)
}
