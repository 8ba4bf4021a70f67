import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { StartError } from '../../errors/app-error.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { findBindingIssue, rejectAbortingBinding } from './binding.ts'

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
  test.each(['v24.0.0', 'v24.18.0', 'v24.19.0', 'v24.20.0', 'v24.21.0', 'v26.0.0', 'v26.3.1'])(
    'aborts Node %s',
    async (version) => {
      expect(findBindingIssue(version, await binding('withHooks'))).toEqual({
        aborts: true,
        text: expect.stringContaining(`makes Node ${version} abort under load`) as string,
        fix: expect.stringMatching(/Node 22, or 26\.4 .* npm ci .* npm rebuild better-sqlite3/) as string,
      })
    },
  )

  test.each(['v24.22.0', 'v24.100.3'])('may abort Node %s, which was not tested', async (version) => {
    expect(findBindingIssue(version, await binding('withHooks'))).toMatchObject({ aborts: false })
  })

  test.each(['v20.19.0', 'v22.23.0', 'v26.4.0', 'v26.10.0', 'v28.0.0'])(
    'is fine on Node %s',
    async (version) => {
      expect(findBindingIssue(version, await binding('withHooks'))).toBeNull()
    },
  )
})

test('finds no issue with a binding of older headers, such as the prebuilt one', async () => {
  for (const version of ['v24.18.0', 'v24.21.0', 'v24.22.0', 'v26.3.1']) {
    expect(findBindingIssue(version, await binding('withoutHooks'))).toBeNull()
  }
})

test('leaves a missing binding to the error of loading it', async () => {
  expect(findBindingIssue('v24.21.0', path.join(await tempFolder(), 'missing.node'))).toBeNull()
})

test('rejects the start only if the process would abort', async () => {
  const file = await binding('withHooks')
  expect(() => rejectAbortingBinding('v24.21.0', file)).toThrow(StartError)
  expect(() => rejectAbortingBinding('v24.22.0', file)).not.toThrow()
})

test('checks the installed better-sqlite3 by default', () => {
  // Holds for every Node.js that runs these tests: they would have aborted otherwise.
  expect(findBindingIssue(process.version)?.aborts).not.toBe(true)
})
