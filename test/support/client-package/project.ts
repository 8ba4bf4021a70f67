import { execFileSync, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { waitForFileLock } from '../../../server/db/sqlite/file-lock.ts'

const root = path.resolve(import.meta.dirname, '../../..')
/** Version of the package and the site. */
export const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string
}
const packCommand = path.join(root, 'server/client-package/pack.mjs')
/** Packages of the client's own project. They are installed when it is packed. */
const clientModules = path.join(root, 'server/client-package/node_modules')
/** Oldest TypeScript that the package supports. */
export const minimumCompiler = path.join(clientModules, 'typescript/lib/tsc.js')

/** Time to wait for another process that packs. Afterwards both do. */
const packTimeoutMs = 60_000

/** Runs `npm run pack:client`, and returns its output and exit code. */
export function pack(...args: string[]) {
  return runToEnd([packCommand, ...args])
}

/** Runs a Node program with an environment of only PATH, and returns its output and exit code. */
export function runToEnd(args: readonly string[], cwd = root) {
  const env = { PATH: process.env['PATH'] }
  try {
    const stdout = execFileSync(process.execPath, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' })
    return { code: 0, stdout, stderr: '' }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number | null; stdout: string; stderr: string }
    return { code: status, stdout, stderr }
  }
}

/** Like `runToEnd` for any program, without blocking a server that runs in this process. */
export async function startProcess(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

/** Creates a project with the package and only its declared dependencies installed. */
export async function installPackage(folder: string): Promise<void> {
  const tarball = tarballIn(await packedClient())
  const modules = path.join(folder, 'node_modules')
  const own = path.join(modules, 'rangoli-client')
  await mkdir(own, { recursive: true })
  await mkdir(path.join(modules, '@trpc'))
  execFileSync('tar', ['-xzf', tarball, '-C', own, '--strip-components=1'])
  for (const name of ['@trpc/client', 'eventsource', 'eventsource-parser']) {
    await symlink(path.join(clientModules, name), path.join(modules, name))
  }
  await symlink(path.join(root, 'node_modules/@trpc/server'), path.join(modules, '@trpc/server'))
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'new-project', type: 'module' }))
}

let packed: Promise<string> | null = null

/**
 * Folder of a tarball, packed on first use. One process at a time packs for the first time: that compiles, which takes 15 s
 * of CPU time, and the others find the compiled files.
 */
export function packedClient(): Promise<string> {
  return (packed ??= packOnce())
}

async function packOnce(): Promise<string> {
  const cache = path.join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const deadline = performance.now() + packTimeoutMs
  const release = await waitForFileLock(path.join(cache, 'rangoli-client-tests'), deadline, () => {})
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'rangoli-test-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const { code, stderr } = pack(folder)
    if (code !== 0) throw new Error(stderr)
    return folder
  } finally {
    release?.()
  }
}

/** Returns the path of this version's tarball in a folder. */
export function tarballIn(folder: string): string {
  return path.join(folder, `rangoli-client-${version}.tgz`)
}

/** Compiles files to JavaScript in the same folder with the oldest supported TypeScript, and returns the errors. */
export function compileWithMinimumTypeScript(folder: string, ...files: string[]): string {
  const options = ['--strict', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--target', 'es2023']
  const libraries = ['--lib', 'es2023,dom,dom.asynciterable', '--skipLibCheck']
  return runToEnd([minimumCompiler, ...options, ...libraries, ...files], folder).stdout
}
