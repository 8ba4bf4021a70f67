import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../config/config.ts'
import { tempFolder } from '../http/test-folder.ts'
import { checkAddress } from './check-address.ts'
import { checkLocalAccounts } from './check-local-accounts.ts'
import { linesOf } from './test-findings.ts'

async function examine(folder: string, env: Record<string, string> = {}): Promise<string[]> {
  const config = parseConfig(env, folder)
  if (config.auth.kind !== 'local') throw new Error('This is about local accounts.')
  return linesOf(await checkLocalAccounts(config, config.auth, { kind: 'missing' }))
}

async function folderWithSecret(secret: string, mode: number): Promise<string> {
  const folder = await tempFolder()
  const file = path.join(folder, 'data/auth-secret')
  await mkdir(path.dirname(file))
  await writeFile(file, secret)
  await chmod(file, mode)
  return folder
}

test('before the first start', async () => {
  const folder = await tempFolder()
  expect(await examine(folder)).toEqual([
    'ok: Accounts are kept here, in the database; sign-up is open.',
    `ok: AUTH_SECRET is not set; the first start makes one and keeps it in ${folder}/data/auth-secret.`,
  ])
})

test('a closed sign-up without an account lets nobody in', async () => {
  const secret = 'hush'.repeat(10)
  expect(await examine(await tempFolder(), { SIGN_UP: 'closed', AUTH_SECRET: secret })).toEqual([
    'ok: Accounts are kept here, in the database; sign-up is closed.',
    'note: Nobody has an account yet. → Make one: npm run account -- add EMAIL.',
    'ok: AUTH_SECRET is set.',
  ])
})

test.each([
  ['x'.repeat(43), 0o600, /^ok: .* only its owner may read\.$/],
  ['x'.repeat(43), 0o640, /^problem: Others may read the secret in .* → Run: chmod 600 \/.*auth-secret$/],
  ['x'.repeat(12), 0o600, /^problem: The secret in .* is cut short\. → Remove the file/],
])('a kept secret of %s, mode %i', async (secret, mode, line) => {
  const lines = await examine(await folderWithSecret(secret, mode))
  expect(lines.at(-1)).toMatch(line)
  expect(lines.join('\n')).not.toContain(secret)
})

test.each([
  [{}, []],
  [{ PUBLIC_URL: 'http://localhost:3000' }, []],
  [{ TRUST_PROXY: '1' }, [/^note: TRUST_PROXY is set without PUBLIC_URL/]],
  [{ PUBLIC_URL: 'http://pictures.example.org' }, [/^note: .* unencrypted\. → Have a proxy speak https/]],
  [{ PUBLIC_URL: 'https://pictures.example.org' }, [/^note: .* TRUST_PROXY is off.* → Set TRUST_PROXY/]],
  [{ PUBLIC_URL: 'https://pictures.example.org', TRUST_PROXY: '1' }, [/^ok: PUBLIC_URL speaks https/]],
])('the address %j', (env, expected) => {
  expect(linesOf(checkAddress(parseConfig(env, '/srv')))).toEqual(
    expected.map((line) => expect.stringMatching(line)),
  )
})
