import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { defaultSiteOptions } from '../../shared/site-options.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { parseConfig } from './config.ts'
import { readEnvironment } from './config.ts'

test('the environment overrides the .env file of the working directory', async () => {
  const folder = await tempFolder()
  await writeFile(
    path.join(folder, '.env'),
    '# ports\nPORT=4000\nSITE_NAME="My site"\nDAILY_IMAGE_LIMIT=5 # a day\n',
  )
  const config = readEnvironment({ PORT: '5000' }, folder)
  expect(config).toMatchObject({ port: 5000, siteName: 'My site', fixedOptions: { dailyImageLimit: 5 } })
})

test('a missing .env file is no error', async () => {
  const folder = await tempFolder()
  expect(readEnvironment({}, folder)).toMatchObject({
    port: 3000,
    storage: { directory: path.join(folder, 'uploads') },
  })
})

test('reports issues of the .env file like those of the environment', async () => {
  const folder = await tempFolder()
  await writeFile(path.join(folder, '.env'), 'PORT=many\n')
  expect(() => readEnvironment({}, folder)).toThrow(/^PORT: must be a port/)
})

test('.env.example shows the defaults', async () => {
  const folder = await tempFolder()
  const example = await readFile(path.resolve(import.meta.dirname, '../../.env.example'), 'utf8')
  const uncommented = example.replaceAll(
    /^# (?=[A-Z_]+=)(?!PUBLIC_URL|CONTACT|RULES_FILE|CLERK_|S3_|SMTP_URL|MAIL_FROM|DAILY_IMAGE_TOTAL|UNSHARED_IMAGE_DAYS|USER_STORAGE_LIMIT_MB|WEBHOOK_ALLOWED_ADDRESSES)/gm,
    '',
  )
  expect(uncommented).toContain('\nPORT=')
  await writeFile(path.join(folder, '.env'), uncommented)
  const { fixedOptions, auth, ...others } = readEnvironment({}, folder)
  expect(parseConfig({}, folder)).toMatchObject(others)
  // Set variables fix options, here at their defaults.
  expect(defaultSiteOptions).toMatchObject(fixedOptions)
  expect(parseConfig({ SIGN_UP: defaultSiteOptions.signUp }, folder).auth).toEqual(auth)
})
