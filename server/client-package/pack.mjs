/**
 * Packs the client library: `npm run pack:client -- DIR [--force]`. Plain JavaScript, as it runs from the sources on the
 * oldest supported version of Node.
 */
import { copyFileSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packFolder, tarballName, writePackage } from './write-package.mjs'

const usage = `Usage: npm run pack:client -- DIR [--force]

Packs rangoli-client, the typed client of these sources, as a tarball in the folder DIR. Replaces a tarball of the same
version only with --force.`

const advice = 'see npm run pack:client -- --help.'

try {
  run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** @param {string[]} args */
function run(args) {
  const { values, positionals } = parse(args)
  if (values.help) return print(usage)
  const [directory, ...rest] = positionals
  if (directory === undefined) throw new Error(`The folder for the tarball is missing; ${advice}`)
  if (rest.length > 0) throw new Error(`Only one folder is allowed; ${advice}`)

  const replaces = values.force === true
  const file = path.resolve(directory, tarballName())
  prepare(file, replaces)
  const unpacked = mkdtempSync(path.join(tmpdir(), 'rangoli-client-'))
  try {
    writePackage(path.join(unpacked, 'package'))
    put(packFolder(path.join(unpacked, 'package'), unpacked), file, replaces)
    print(`Created ${file}. Install it with: npm install ${file}`)
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { force: { type: 'boolean' }, help: { type: 'boolean' } },
    })
  } catch (error) {
    // Node's message continues with hints about its own syntax.
    const [message = ''] = String(error instanceof Error ? error.message : error).split(/\.\s|\n/)
    throw new Error(`${message}; ${advice}`, { cause: error })
  }
}

/**
 * Creates the folder and rejects an existing tarball, before the package is built.
 *
 * @param {string} file path of the tarball
 * @param {boolean} replaces true to replace an existing tarball
 */
function prepare(file, replaces) {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
  } catch (error) {
    throw cannotWrite(file, error)
  }
  if (existsSync(file) && !replaces) throw alreadyExists(file)
}

/**
 * @param {string} tarball
 * @param {string} file
 * @param {boolean} replaces
 */
function put(tarball, file, replaces) {
  try {
    copyFileSync(tarball, file, replaces ? 0 : constants.COPYFILE_EXCL)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw code === 'EEXIST' ? alreadyExists(file) : cannotWrite(file, error)
  }
}

/** @param {string} file */
function alreadyExists(file) {
  return new Error(`${file} already exists. Replace it with --force.`)
}

/**
 * @param {string} file
 * @param {unknown} cause
 */
function cannotWrite(file, cause) {
  const { message } = /** @type {Error} */ (cause)
  return new Error(`Can't write the tarball to ${path.dirname(file)}: ${message}`, { cause })
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}
