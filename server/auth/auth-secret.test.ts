import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { StartError } from '../errors/app-error.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { keepAuthSecret } from './auth-secret.ts'

test('generates a secret at the first start, readable by its owner only, and reuses it', async () => {
  const folder = await tempFolder()
  const secret = keepAuthSecret(folder)
  expect(secret.length).toBeGreaterThanOrEqual(32)
  const file = path.join(folder, 'auth-secret')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readFile(file, 'utf8')).trim()).toBe(secret)
  expect(keepAuthSecret(folder)).toBe(secret)
  expect(await readdir(folder)).toEqual(['auth-secret'])
})

test('generates a different secret for each folder', async () => {
  expect(keepAuthSecret(await tempFolder())).not.toBe(keepAuthSecret(await tempFolder()))
})

test.each(['', '\n', 'half-written'])('rejects the truncated secret %j', async (text) => {
  const folder = await tempFolder()
  await writeFile(path.join(folder, 'auth-secret'), text)
  expect(() => keepAuthSecret(folder)).toThrow(StartError)
  expect(() => keepAuthSecret(folder)).toThrow(/^AUTH_SECRET: [^\n]+$/)
})

test('reports a secret that cannot be stored in one line', async () => {
  const folder = await tempFolder()
  await mkdir(path.join(folder, 'auth-secret'))
  expect(() => keepAuthSecret(folder)).toThrow(/^AUTH_SECRET: the secret can't be stored in [^\n]+$/)
})
