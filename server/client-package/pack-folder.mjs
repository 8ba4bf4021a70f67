import path from 'node:path'
import { runNpm } from '../launch/npm.mjs'

/**
 * Packs a package as npm would publish it; the same files give the same bytes.
 *
 * @param {string} folder where its package.json lies
 * @param {string} directory where the tarball is to lie
 * @returns {string} the tarball
 */
export function packFolder(folder, directory) {
  const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', directory]
  const [{ filename }] = JSON.parse(runNpm(args, folder))
  return path.join(directory, filename)
}
