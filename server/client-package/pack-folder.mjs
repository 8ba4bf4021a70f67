import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** npm itself, where it runs us; else the one that is found. */
const npm = process.env['npm_execpath']

/**
 * Packs a package as npm would publish it; the same files give the same bytes.
 *
 * @param {string} folder where its package.json lies
 * @param {string} directory where the tarball is to lie
 * @returns {string} the tarball
 */
export function packFolder(folder, directory) {
  const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', directory]
  const [program, ...before] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const said = execFileSync(program, [...before, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [{ filename }] = JSON.parse(said)
  return path.join(directory, filename)
}
