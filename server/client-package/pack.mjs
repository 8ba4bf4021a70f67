/**
 * Packs the client for developers: `npm run pack:client -- DIR [--force]`. Plain JavaScript, as it runs from the
 * sources on the oldest Node we know.
 */
import { copyFileSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packFolder } from './pack-folder.mjs'
import { tarballName, writePackage } from './write-package.mjs'

const usage = `Usage: npm run pack:client -- DIR [--force]

Writes the package rangoli-client of the present sources as a tarball into the folder DIR: the types of every call, and
createRangoliClient, which makes a typed client. A tarball of the same version is replaced only with --force.`

const advice = 'npm run pack:client -- --help says how it is used.'

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
  if (values.help) return say(usage)
  const [directory, ...rest] = positionals
  if (directory === undefined) throw new Error(`Say which folder the tarball is to lie in; ${advice}`)
  if (rest.length > 0) throw new Error(`There can be one folder only; ${advice}`)

  const replaces = values.force === true
  const file = path.resolve(directory, tarballName())
  prepare(file, replaces)
  const unpacked = mkdtempSync(path.join(tmpdir(), 'rangoli-client-'))
  try {
    writePackage(path.join(unpacked, 'package'))
    put(packFolder(path.join(unpacked, 'package'), unpacked), file, replaces)
    say(`The package is in ${file}; install it with: npm install ${file}`)
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
    // Node goes on with advice about its own syntax.
    const [fault = ''] = String(error instanceof Error ? error.message : error).split(/\.\s|\n/)
    throw new Error(`${fault}; ${advice}`, { cause: error })
  }
}

/**
 * Makes the folder, and refuses what can be refused before there is anything to write.
 *
 * @param {string} file where the tarball is to lie
 * @param {boolean} replaces whether a file of that name may be lost
 */
function prepare(file, replaces) {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
  } catch (error) {
    throw cannotWrite(file, error)
  }
  if (existsSync(file) && !replaces) throw isThere(file)
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
    throw code === 'EEXIST' ? isThere(file) : cannotWrite(file, error)
  }
}

/** @param {string} file */
function isThere(file) {
  return new Error(`${file} is there already; --force replaces it.`)
}

/**
 * @param {string} file
 * @param {unknown} cause
 */
function cannotWrite(file, cause) {
  const { message } = /** @type {Error} */ (cause)
  return new Error(`The tarball can't be written to ${path.dirname(file)}: ${message}`, { cause })
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}
