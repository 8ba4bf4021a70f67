import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../config/config.ts'
import { tempFolder } from '../../../test/support/folder.ts'
import { checkAddress, checkLocalAccounts } from './sign-in.ts'
import { linesOf } from '../../../test/support/doctor.ts'

async function check(folder: string, env: Record<string, string> = {}): Promise<string[]> {
  const config = parseConfig(env, folder)
  if (config.auth.kind !== 'local') throw new Error('This is about local accounts.')
  return linesOf(await checkLocalAccounts(config, config.auth, 0))
}

async function folderWithSecret(secret: string, mode: number): Promise<string> {
  const folder = await tempFolder()
  const file = path.join(folder, 'data/auth-secret')
  await mkdir(path.dirname(file))
  await writeFile(file, secret)
  await chmod(file, mode)
  return folder
}

test('reports the secret that the first start generates', async () => {
  const folder = await tempFolder()
  expect(await check(folder)).toEqual([
    'ok: Accounts are stored in the database; administrators choose who may sign up, at most 100 an hour from one network.',
    `ok: AUTH_SECRET is not set; the first start generates one and stores it in ${folder}/data/auth-secret.`,
  ])
})

test('notes a closed sign-up without any account', async () => {
  const secret = 'hush'.repeat(10)
  expect(await check(await tempFolder(), { SIGN_UP: 'closed', AUTH_SECRET: secret })).toEqual([
    'ok: Accounts are stored in the database; sign-up is closed.',
    'note: There is no account yet. → Create one: npm run account -- add EMAIL.',
    'ok: AUTH_SECRET is set.',
  ])
})

test.each([
  ['x'.repeat(43), 0o600, /^ok: .* only its owner may read\.$/],
  [
    'x'.repeat(43),
    0o640,
    /^problem: Other users of this machine may read the secret in .* → Run: chmod 600 \/.*auth-secret$/,
  ],
  ['x'.repeat(12), 0o600, /^problem: The secret in .* is cut short\. → Delete the file/],
])('checks a stored secret of %s with mode %i', async (secret, mode, line) => {
  const lines = await check(await folderWithSecret(secret, mode))
  expect(lines.at(-1)).toMatch(line)
  expect(lines.join('\n')).not.toContain(secret)
})

test.each([
  [{}, []],
  [{ PUBLIC_URL: 'http://localhost:3000' }, []],
  [{ TRUST_PROXY: '1' }, [/^note: TRUST_PROXY is set without PUBLIC_URL/]],
  [{ PUBLIC_URL: 'http://pictures.example.org' }, [/^note: .* unencrypted\. → Configure a proxy for https/]],
  [{ PUBLIC_URL: 'https://pictures.example.org' }, [/^note: .* TRUST_PROXY is off.* → Set TRUST_PROXY/]],
  [{ PUBLIC_URL: 'https://pictures.example.org', TRUST_PROXY: '1' }, [/^ok: PUBLIC_URL uses https/]],
])('checks the address that %j sets', (env, expected) => {
  expect(linesOf(checkAddress(parseConfig(env, '/srv')))).toEqual(
    expected.map((line) => expect.stringMatching(line)),
  )
})
