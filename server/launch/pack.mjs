import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Packages that are not bundled into the server: better-sqlite3 and sharp are native, and pino loads its own files at run
 * time. A build needs these packages next to it, and no others.
 */
export const serverExternals = ['better-sqlite3', 'pino', 'sharp']

/** Sources and intermediate files of better-sqlite3, four fifths of its size. */
const buildFiles = /\/better-sqlite3\/(?:deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/

/** Packages that are needed during installation only. */
const installPackages = new Set(['prebuild-install'])

/**
 * Copies everything that a built server needs into one folder: the build, and the packages that are not bundled with their
 * dependencies. `node server/main.js` then runs there without installation.
 *
 * @param {string} root the project's folder
 * @param {string} build the folder of a build
 * @param {string} target created if missing
 * @throws if the folder cannot be written, or has files: a running server would load a mixture
 */
export function pack(root, build, target) {
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${target} is not empty; name a new folder.`)
  // The server's user is not the one who installs it.
  process.umask(0o022)
  mkdirSync(target, { recursive: true })
  for (const part of ['client', 'server'])
    cpSync(path.join(build, part), path.join(target, part), { recursive: true })
  for (const folder of packagesFor(root)) {
    cpSync(folder, path.join(target, path.relative(root, folder)), {
      recursive: true,
      filter: (file) => !buildFiles.test(file) && path.relative(folder, file) !== 'node_modules',
    })
  }
  const { name, version, license, type } = readPackage(root)
  writeFileSync(
    path.join(target, 'package.json'),
    `${JSON.stringify({ name, version, license, type }, null, 2)}\n`,
  )
}

/**
 * Folders of the packages that are not bundled and of their dependencies. An optional dependency that is not installed is
 * for another platform.
 *
 * @param {string} root
 */
function packagesFor(root) {
  /** @type {Set<string>} */
  const found = new Set()
  /** @type {(name: string, from: string, isOptional: boolean) => void} */
  const add = (name, from, isOptional) => {
    const folder = folderOf(name, from, root)
    if (!folder && !isOptional) throw new Error(`The package ${name} is not installed; run npm ci.`)
    if (!folder || found.has(folder)) return
    found.add(folder)
    const { dependencies = {}, optionalDependencies = {} } = readPackage(folder)
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!installPackages.has(needed)) add(needed, folder, needed in optionalDependencies)
    }
  }
  for (const name of serverExternals) add(name, root, false)
  // Signs images where it is installed.
  add('@contentauth/c2pa-node', root, true)
  return found
}

/**
 * Resolves a package as Node does, from the importing folder upwards.
 *
 * @param {string} name
 * @param {string} from
 * @param {string} root
 * @returns {string | null}
 */
function folderOf(name, from, root) {
  const folder = path.join(from, 'node_modules', name)
  if (existsSync(path.join(folder, 'package.json'))) return folder
  return from === root ? null : folderOf(name, path.dirname(from), root)
}

/** @typedef {Record<string, string>} Dependencies */

/**
 * @param {string} folder
 * @returns {Record<string, unknown> & { dependencies?: Dependencies, optionalDependencies?: Dependencies }}
 */
function readPackage(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
}
