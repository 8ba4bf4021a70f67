import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readEnvironment } from '../config/config.ts'
import { runCommand } from '../../test/support/command.ts'
import { rejectSecrets, secretsOf } from '../../test/support/secrets.ts'
import { respondJson, respondImage } from '../../test/support/openai/provider-responses.ts'
import { startFakeProvider } from '../../test/support/openai/provider.ts'
import { images } from '../../test/support/openai/images.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { startTestServer } from '../../test/support/test-server.ts'

interface Options {
  readonly args?: string[]
  /** Answer to the confirmation; without it there is no terminal. */
  readonly answer?: boolean
}

/** Runs the command in a folder and returns what it printed and asked, and whether it found no problem. */
async function run(
  folder: string,
  env: Record<string, string> = {},
  { args = [], ...options }: Options = {},
) {
  const readConfig = () => readEnvironment(env, folder)
  const result = await runCommand(folder, ['doctor', ...args], { ...options, readConfig })
  const text = result.printed.join('\n')
  rejectSecrets(text, secretsOf(env))
  return { ...result, text, isWell: result.exitCode === 0 }
}

const isHeading = (line: string) => /^[A-Z][\w -]*$/.test(line)

test('finds no problem in an empty environment and folder', async () => {
  const folder = await tempFolder()
  const { printed, text, isWell } = await run(folder)
  expect(isWell).toBe(true)
  expect(printed.filter(isHeading)).toEqual([
    'Environment',
    'Folders',
    'Database',
    'Sign-in',
    'Mail',
    'Image engine',
    'Content Credentials',
    'Proxy',
  ])
  for (const line of printed.slice(0, -1)) {
    expect(line).toMatch(/^$|^[A-Z][\w -]*$|^ {2}(ok {7}|note {5}|problem {2})\S|^ {11}Fix: \S/)
  }
  expect(printed).toContainEqual(
    expect.stringMatching(/^ {2}ok {7}Node v20\.19\.0 runs Rangoli \d+\.\d+\.\d+\.$/),
  )
  expect(printed.find((line) => line.includes('engine generated'))).toMatch(
    /a JPEG of 1024 × 1024 pixels .* in \d+\.\d of at most 300 seconds/,
  )
  expect(printed.at(-1)).toMatch(/^No problems, \d notes?\.$/)
  expect(text).toContain(`The data folder ${folder}/data does not exist yet; the first start creates it.`)
  expect(text).toContain(
    `The uploads folder ${folder}/uploads does not exist yet; the first start creates it.`,
  )
  expect(await readdir(folder)).toEqual([])
})

test('reports every issue of the environment as a problem', async () => {
  const folder = await tempFolder()
  await writeFile(path.join(folder, '.env'), 'PORT=three\nSITE_NAMES=Ours\n')
  const { printed, isWell } = await run(folder, { API_TOKEN: 'hush', AUTH: 'ldap' })
  expect(isWell).toBe(false)
  expect(
    printed.filter((line) => line.startsWith('  problem')).map((line) => line.split(/[ :]+/)[2]),
  ).toEqual(['PORT', 'API_TOKEN', 'AUTH'])
  expect(printed.filter((line) => line.includes('Fix: '))).toHaveLength(4)
  expect(printed).toContain('  note     SITE_NAMES in .env is unknown and has no effect.')
  expect(printed[1]).toBe(`  ok       There is ${folder}/.env; the environment overrides it.`)
  expect(printed.at(-1)).toBe('3 problems, 2 notes.')
  await rm(path.join(folder, '.env'))
  await mkdir(path.join(folder, '.env'))
  expect((await run(folder)).text).toContain(`problem  The file ${folder}/.env can't be read (EISDIR): `)
})

async function startProvider() {
  const models = respondJson({ data: [{ id: 'sd' }] })
  const double = await startFakeProvider(respondImage(images.jpeg), { '/v1/models': models })
  onTestFinished(double.stop)
  const env = {
    OPENAI_BASE_URL: double.url,
    OPENAI_IMAGE_MODEL: 'sd',
    OPENAI_API_KEY: 'sk-secret-1234567890abcdef',
  }
  return { double, env, host: new URL(double.url).host }
}

test('pays for nothing without a confirmation', async () => {
  const { double, env } = await startProvider()
  for (const options of [{}, { answer: false }]) {
    const { text, isWell } = await run(await tempFolder(), env, options)
    expect(isWell).toBe(true)
    expect(text).toContain('  note     No image was generated, because that may cost money.\n')
    expect(text).toContain('Fix: npm run doctor -- --yes ')
  }
  expect(double.requests).toEqual([])
})

test('generates an image when the user confirms or passes --yes', async () => {
  const { double, env, host } = await startProvider()
  const asked = await run(await tempFolder(), env, { answer: true })
  expect(asked.questions).toEqual([`This generates up to 2 images at ${host}, which may cost money. [y/N] `])
  expect(asked.text).toContain(`${host} generated a JPEG of 32 × 24 pixels`)
  const confirmed = await run(await tempFolder(), env, { args: ['--yes'], answer: false })
  expect(confirmed.questions).toEqual([])
  expect(confirmed.text).toContain(`${host} generated a JPEG`)
  expect(double.requests).toHaveLength(2)
})

test('reports every engine that is down, and generates no image there', async () => {
  const folder = await tempFolder()
  // Below the ports that servers of other tests get when one has stopped.
  const server = { url: 'http://127.0.0.1:2', model: 'sd' }
  const engines = [
    { id: 'forge', kind: 'automatic1111', label: 'Forge', ...server },
    { id: 'comfy', kind: 'comfyui', label: 'Comfy', ...server },
    { id: 'sd', kind: 'sdcpp', label: 'SD', url: server.url },
    { id: 'router', kind: 'chat', label: 'Router', ...server },
    { id: 'patterns', kind: 'rangoli', label: 'Patterns' },
  ]
  await writeFile(path.join(folder, 'engines.json'), JSON.stringify(engines))
  const { printed, text, isWell } = await run(folder, { ENGINES_FILE: 'engines.json' }, { args: ['--yes'] })
  expect(isWell).toBe(false)
  const problems = printed.filter((line) => line.startsWith('  problem'))
  expect(problems).toHaveLength(4)
  for (const line of problems) expect(line).toMatch(/127\.0\.0\.1:2: [^:]+ \(ECONNREFUSED\)\.$/)
  expect(text).toContain('Fix: Check that it runs, and check its address.')
  expect(text).toContain('The embedded engine generated a JPEG')
})

test('checks the engines that administrators added, and reports those of a newer version', async () => {
  const { directory, services } = await startTestServer()
  const added = ['rangoli', 'telepathy'].map((kind) => ({
    settings: { id: `my-${kind}`, kind, label: kind },
    secrets: null,
  }))
  await services.db
    .insertInto('site_options')
    .values({ name: 'addedEngines', value: JSON.stringify(added) })
    .execute()
  await services[Symbol.asyncDispose]()
  const { text, printed } = await run(directory)
  expect(await readdir(path.join(directory, 'data'))).not.toContain('rangoli.db-wal')
  expect(printed.filter(isHeading)).toContain('Added image engine my-rangoli')
  expect(text.split('The embedded engine generated a JPEG')).toHaveLength(3)
  const problem = printed.find((line) => line.startsWith('  problem'))
  expect(problem).toMatch(/This version does not understand its entry\. `kind` must be one of/)
})
