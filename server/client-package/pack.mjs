/** Packs the client library. Plain JavaScript, as it runs from the sources on the oldest supported version of Node. */
import { spawnSync } from 'node:child_process'
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { runNpm } from '../launch/npm.mjs'
import { digestOf } from '../launch/run-build.mjs'
import { version as ours } from '../launch/version.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const folder = 'server/client-package'
const entry = `${folder}/rangoli-client`

/** Folder of the compiler's output, by the digest of the sources. */
const builds = path.join(root, 'node_modules/.cache/rangoli-client')

/** Path of the TypeScript compiler of this project, the oldest one that the package supports. */
const compiler = path.join(import.meta.dirname, 'node_modules/typescript/lib/tsc.js')

/** Lists of the installed packages, which change with them, while the lock files also change with the version of a release. */
const installed = ['node_modules/.package-lock.json', `${folder}/node_modules/.package-lock.json`]

/** Packages whose types the declarations may import. Other dependencies of the server must not appear in them. */
const libraries = /^@trpc\/(?:client|server)(?:\/|$)/

const importedModule = /(\bfrom |\bimport\()(['"])([^'"]+)\2/g

new Command('npm run pack:client --')
  .description('Packs rangoli-client, the typed client of these sources, as a tarball.')
  .argument('<dir>', 'folder for the tarball')
  .option('--force', 'replace a tarball of the same version')
  .showHelpAfterError()
  .action(run)
  .parse()

/**
 * @param {string} directory
 * @param {{ force?: boolean }} options
 */
function run(directory, { force = false }) {
  const file = path.resolve(directory, `rangoli-client-${ours}.tgz`)
  const unpacked = mkdtempSync(path.join(tmpdir(), 'rangoli-client-'))
  try {
    // Before the package is built, which takes a while.
    mkdirSync(path.dirname(file), { recursive: true })
    if (existsSync(file) && !force) throw new Error(`${file} already exists. Replace it with --force.`)
    writePackage(path.join(unpacked, 'package'))
    // As npm would publish it. The same files result in the same bytes.
    const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', unpacked]
    const [{ filename }] = JSON.parse(runNpm(args, path.join(unpacked, 'package')))
    copyFileSync(path.join(unpacked, filename), file, force ? 0 : constants.COPYFILE_EXCL)
    process.stdout.write(`Created ${file}. Install it with: npm install ${file}\n`)
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    const isOfSystem = error instanceof Error && 'syscall' in error
    const reason = isOfSystem ? `Can't write the tarball to ${path.dirname(file)}: ${message}` : message
    process.stderr.write(`${reason}\n`)
    process.exitCode = 1
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

/**
 * Writes the files of the package `rangoli-client`: the client's JavaScript, and the declarations that its types refer to,
 * as emitted by the package's own compiler from the server's sources.
 *
 * @param {string} directory folder for the files
 */
function writePackage(directory) {
  const emitted = build()
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(path.join(import.meta.dirname, 'README.md'), path.join(directory, 'README.md'))
  copyFileSync(path.join(root, 'LICENSE'), path.join(directory, 'LICENSE'))
  for (const [file, text] of [...scripts(emitted), ...declarations(emitted)]) {
    const target = path.join(directory, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

/**
 * Compiles the sources unless they have been compiled before.
 *
 * @returns {string} folder of the JavaScript and the declarations
 */
function build() {
  // Missing types would become `any`.
  if (!existsSync(path.join(root, 'node_modules/@trpc/server'))) throw new Error('Run npm ci first.')
  installPackages()
  const isSource = (/** @type {string} */ file) =>
    /\.[cm]?ts$|tsconfig\.json$|\.package-lock\.json$/.test(file)
  const output = path.join(builds, digestOf(root, ['server', 'shared', ...installed], isSource))
  if (existsSync(output)) return output
  mkdirSync(builds, { recursive: true })
  // Another process may build the same.
  const unfinished = mkdtempSync(path.join(builds, 'unfinished-'))
  const args = [compiler, '-p', import.meta.dirname, '--outDir', unfinished]
  try {
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The client package can't be compiled:\n${stdout}`)
    renameSync(unfinished, output)
  } catch (error) {
    if (!existsSync(output)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  for (const name of readdirSync(builds))
    if (name !== path.basename(output) && !name.startsWith('unfinished-'))
      rmSync(path.join(builds, name), { recursive: true, force: true })
  return output
}

/** Installs the packages of the lock file unless each is installed in its version. */
function installPackages() {
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(path.join(import.meta.dirname, name), 'utf8'))
  const isInstalled = Object.entries(read('package-lock.json').packages)
    .filter(([name]) => name !== '')
    .every(([name, { version }]) => {
      const file = `${name}/package.json`
      return existsSync(path.join(import.meta.dirname, file)) && read(file).version === version
    })
  if (!isInstalled) runNpm(['ci', '--ignore-scripts', '--prefer-offline'], import.meta.dirname)
}

/** Returns the published package.json: that of this project without what only its development needs. */
function manifest() {
  const project = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'))
  const { name, scripts: _scripts, devDependencies: _devDependencies, ...published } = project
  return { name, version: ours, ...published }
}

/**
 * Collects the modules of the entry by their path in the package: those of its folder at the top, and those of `shared/`.
 *
 * @param {string} emitted folder of the JavaScript
 */
function scripts(emitted) {
  return collect(emitted, `${entry}.js`, pathInPackage, (name, file, imported) => {
    if (!name.startsWith('.')) return name
    return `./${path.posix.relative(path.posix.dirname(pathInPackage(file)), pathInPackage(imported))}`
  })
}

/** @param {string} file path of a module */
function pathInPackage(file) {
  if (file.startsWith('shared/')) return file
  if (path.posix.dirname(file) === folder) return path.posix.basename(file)
  throw new Error(`The client package imports ${file}, which is not part of it.`)
}

/**
 * Collects the declarations of the entry and those they import. Import specifiers get the extension `.js`, which every module
 * resolution supports.
 *
 * @param {string} emitted folder of the declarations
 */
function declarations(emitted) {
  const target = (/** @type {string} */ file) => `types/${file}`
  return collect(emitted, `${entry}.d.ts`, target, (name, file) => {
    if (!name.startsWith('.') && !libraries.test(name))
      throw new Error(`The type of the router refers to ${name}, in ${file}.`)
    return name.replace(/^(\..*)\.ts$/, '$1.js')
  })
}

/**
 * Collects a file and those it imports, by their path in the package.
 *
 * @param {string} emitted
 * @param {string} first
 * @param {(file: string) => string} targetOf
 * @param {(name: string, file: string, imported: string) => string} specifierOf specifier of an import in the package
 * @returns {Map<string, string>}
 */
function collect(emitted, first, targetOf, specifierOf) {
  const found = new Map()
  const pending = [first]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const current = file
    if (found.has(targetOf(current))) continue
    const text = readFileSync(path.join(emitted, current), 'utf8')
    const replaced = text.replaceAll(importedModule, (_all, keyword, quote, /** @type {string} */ name) => {
      const isDeclaration = current.endsWith('.d.ts')
      const imported = path.posix.join(
        path.posix.dirname(current),
        isDeclaration ? name.replace(/\.ts$/, '.d.ts') : name,
      )
      if (name.startsWith('.')) pending.push(imported)
      return `${keyword}${quote}${specifierOf(name, current, imported)}${quote}`
    })
    found.set(targetOf(current), replaced)
  }
  return found
}
