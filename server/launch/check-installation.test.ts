import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { version as ours } from '../../shared/version.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { findBindingIssue, findInstallationIssue } from './check-installation.mjs'

const root = path.resolve(import.meta.dirname, '../..')

/** Symbol of a binding compiled against headers of node::ObjectWrap with or without cleanup hooks. */
const symbols = {
  withHooks: '\0_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\0',
  // Every better-sqlite3 12 adds one hook of its own.
  withoutHooks: '\0_ZN4node25AddEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\0',
}

async function binding(kind: keyof typeof symbols): Promise<string> {
  const file = path.join(await tempFolder(), 'better_sqlite3.node')
  await writeFile(file, Buffer.concat([Buffer.alloc(5_000, 0xfe), Buffer.from(symbols[kind])]))
  return file
}

describe('a better-sqlite3 compiled against headers that remove cleanup hooks', () => {
  test.each(['v24.0.0', 'v24.21.0', 'v26.0.0', 'v26.3.1'])('aborts Node %s', async (version) => {
    expect(findBindingIssue(version, await binding('withHooks'))).toEqual({
      aborts: true,
      text: expect.stringContaining(`makes Node ${version} abort under load`) as string,
      fix: expect.stringMatching(/_target=2[46]\.0\.0 npm rebuild .* Node 22, or 26\.4 .* npm ci/) as string,
    })
  })

  test('may abort Node 24.22.0, which was not tested', async () => {
    expect(findBindingIssue('v24.22.0', await binding('withHooks'))).toMatchObject({ aborts: false })
  })

  test.each(['v20.19.0', 'v22.23.0', 'v26.4.0'])('is fine on Node %s', async (version) => {
    expect(findBindingIssue(version, await binding('withHooks'))).toBeNull()
  })
})

test('finds no issue with a binding of older headers, such as the prebuilt one, or a missing one', async () => {
  expect(findBindingIssue('v24.21.0', await binding('withoutHooks'))).toBeNull()
  expect(findBindingIssue('v24.21.0', path.join(await tempFolder(), 'missing.node'))).toBeNull()
})

/** As Node reports a binding of another version. */
const otherVersion =
  "The module '/srv/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115."

test.each([
  ['v18.20.4', () => {}, /^Rangoli requires Node 20\.19 or newer, and this is v18\.20\.4: install/],
  ['v20.18.3', () => {}, /^Rangoli requires Node 20\.19/],
  [
    process.version,
    () => fail(otherVersion),
    /\(it was installed with another version of Node\): run npm ci/,
  ],
  [
    process.version,
    () => fail("Cannot find module 'x'\nRequire stack:"),
    /\(Cannot find module 'x'\): run npm ci/,
  ],
])('reports in one line why Node %s cannot run', (version, load, line) => {
  const issue = findInstallationIssue(version, load)
  expect(issue).toMatch(line)
  expect(issue).not.toMatch(/\n|DATABASE_URL/)
})

function fail(message: string): never {
  throw new Error(message)
}

test('accepts the installation that runs these tests, and the oldest Node that package.json allows', () => {
  expect(findInstallationIssue()).toBeNull()
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }
  expect(findInstallationIssue(engines.node.replace('>=', 'v'), () => {})).toBeNull()
  expect(findInstallationIssue('v0.0.0')).toContain(`Node ${engines.node.slice(2)} or newer`)
})

describe('the launcher', () => {
  /** Runs the launcher in a checkout whose better-sqlite3 is built for another version of Node. */
  async function launch(...args: string[]) {
    const checkout = await tempFolder()
    await cp(path.join(root, 'server/launch.mjs'), path.join(checkout, 'server/launch.mjs'))
    const check = 'server/launch/check-installation.mjs'
    await cp(path.join(root, check), path.join(checkout, check))
    const module = path.join(checkout, 'node_modules/better-sqlite3')
    await mkdir(module, { recursive: true })
    await writeFile(path.join(module, 'package.json'), '{}')
    await writeFile(path.join(module, 'index.js'), `throw new Error(${JSON.stringify(otherVersion)})`)
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(checkout, 'server/launch.mjs'), ...args],
      { encoding: 'utf8' },
    )
    return { status, stdout, stderr }
  }

  test.each(['serve', 'dev', 'build', 'account list'])(
    'answers %s with one line if better-sqlite3 cannot be loaded, before it builds or reads settings',
    async (command) => {
      const issue = findInstallationIssue(process.version, () => fail(otherVersion))
      expect(await launch(...command.split(' '))).toEqual({ status: 1, stdout: '', stderr: `${issue}\n` })
    },
  )

  test.each(['--version', 'serve --version'])('prints the version with %s', (args) => {
    const file = path.join(root, 'server/launch.mjs')
    expect(execFileSync(process.execPath, [file, ...args.split(' ')], { encoding: 'utf8' })).toBe(`${ours}\n`)
  })
})
