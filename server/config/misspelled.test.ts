import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { knownVariables } from './config.ts'
import { misspelledVariables } from './misspelled.ts'

test('finds misspelled names in .env, and no names of other programs', async () => {
  const folder = await tempFolder()
  expect(misspelledVariables(folder)).toEqual([])
  const names = ['PUBLIC_URLS', 'RANGOLI_SITE_NAME', 'port', 'SMTP_URL', 'PUBLISH_ADDRESS', 'NODE_ENV']
  await writeFile(path.join(folder, '.env'), names.map((name) => `${name}=x\n`).join(''))
  expect(misspelledVariables(folder)).toEqual([
    { name: 'PUBLIC_URLS', meant: 'PUBLIC_URL' },
    { name: 'RANGOLI_SITE_NAME', meant: 'SITE_NAME' },
    { name: 'port', meant: 'PORT' },
  ])
})

test('docs/configuration.md lists the known variables', async () => {
  const guide = await readFile(path.resolve(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
  const listed = guide
    .split('\n')
    .flatMap((line) => /^\| (`[^|]+`) \|/.exec(line)?.[1]?.match(/[A-Z0-9_]+/g) ?? [])
  expect(listed.toSorted()).toEqual(knownVariables('/srv').toSorted())
})
