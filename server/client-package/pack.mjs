/**
 * Packs the client for developers: `npm run pack:client -- DIR [--force]`. Plain JavaScript, as it runs from the
 * sources on the oldest Node we know.
 */
import { copyFileSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packFolder } from './pack-folder.mjs'
import { writePackage } from './write-package.mjs'

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

  const unpacked = mkdtempSync(path.join(tmpdir(), 'rangoli-client-'))
  try {
    writePackage(path.join(unpacked, 'package'))
    const file = putInto(
      directory,
      packFolder(path.join(unpacked, 'package'), unpacked),
      values.force === true,
    )
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
 * @param {string} directory made where it is not there
 * @param {string} tarball
 * @param {boolean} replaces whether a file of the same name may be lost
 * @returns {string} where the tarball is
 */
function putInto(directory, tarball, replaces) {
  const file = path.resolve(directory, path.basename(tarball))
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    copyFileSync(tarball, file, replaces ? 0 : constants.COPYFILE_EXCL)
    return file
  } catch (error) {
    const { code, syscall, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const fault =
      code === 'EEXIST' && syscall === 'copyfile'
        ? `${file} is there already; --force replaces it.`
        : `The tarball can't be written to ${path.dirname(file)}: ${message}`
    throw new Error(fault, { cause: error })
  }
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`)
}
