import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { ConfigError, parseConfig } from './config.ts'

const secret = 'hush-hush-0123456789'
const workflow = {
  3: { class_type: 'KSampler', inputs: { seed: '%seed%', steps: 20 }, _meta: { title: 'Sampler' } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: '%prompt%', clip: ['4', 1] } },
}
const workflowWithModel = {
  ...workflow,
  4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: '%model%' } },
}

type Env = Readonly<Record<string, string>>

/** Creates a folder with an engines file and workflows. A string is written as it is. */
async function folderWith(engines: unknown): Promise<string> {
  const folder = await tempFolder()
  const text = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content))
  const files = {
    'engines.json': engines,
    'flow.json': workflow,
    'flow-with-model.json': workflowWithModel,
    'editor.json': { nodes: [{ id: 3, type: 'KSampler' }], links: [], version: 0.4 },
    'broken.json': '{"3": ',
    'other.json': { 3: { inputs: {} } },
    'empty.json': {},
    'embedded.json': { ...workflow, 7: { class_type: 'CLIPTextEncode', inputs: { text: 'ink, %prompt%' } } },
    'fixed.json': { 6: { class_type: 'CLIPTextEncode', inputs: { text: 'A lotus' } } },
  }
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text(content))
  }
  return folder
}

async function enginesOf(engines: unknown, env: Env = {}) {
  return parseConfig({ ...env, ENGINES_FILE: 'engines.json' }, await folderWith(engines)).engines
}

/** The issues of an engines file, without the folder's path; none if it is valid. */
async function issuesOf(engines: unknown, env: Env = {}): Promise<readonly string[]> {
  const folder = await folderWith(engines)
  try {
    parseConfig({ ENGINES_FILE: 'engines.json', ...env }, folder)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    expect(error.message).not.toContain('hush')
    return error.issues.map((issue) => issue.replaceAll(folder, 'FOLDER'))
  }
}

const rangoli = { id: 'patterns', kind: 'rangoli', label: 'Patterns' }
const openai = { id: 'images', kind: 'openai', label: 'Images', apiKey: secret, model: 'gpt-image-2' }
const automatic1111 = { id: 'forge', kind: 'automatic1111', label: 'Forge', url: 'http://localhost:7860' }
const comfyui = {
  id: 'comfy',
  kind: 'comfyui',
  label: 'Comfy',
  url: 'http://localhost:8188',
  model: 'sd.safetensors',
}
const chat = {
  id: 'router',
  kind: 'chat',
  label: 'Router',
  url: 'https://openrouter.ai/api/v1',
  model: 'gemini',
}
const openrouter = { id: 'many', kind: 'openrouter', label: 'Many', apiKey: secret }
const sdcpp = { id: 'sd', kind: 'sdcpp', label: 'SD', url: 'http://localhost:1234' }
const unset = { headers: {}, loras: null, steps: null, sampler: null, scheduler: null, cfgScale: null }

test('reads engines of every kind, in their order', async () => {
  expect(await enginesOf([comfyui, rangoli, openai, automatic1111, chat, openrouter, sdcpp])).toEqual([
    { ...comfyui, workflow: null, ...unset },
    rangoli,
    { ...openai, baseUrl: null },
    { ...automatic1111, model: null, username: null, password: null, ...unset },
    { ...chat, apiKey: null },
    { ...openrouter, url: 'https://openrouter.ai/api/v1', models: [], model: null },
    { ...sdcpp, headers: {}, model: null, loras: null },
  ])
})

test('reads all settings, and secrets from the environment', async () => {
  const more = { steps: 30, sampler: 'Euler a', scheduler: 'Karras', cfg: 6.5, loras: ['ink'] }
  const headers = { Authorization: { env: 'PROXY_AUTHORIZATION' }, 'X-Site': 'pictures' }
  const models = ['acme/painter', 'acme/sketcher']
  const engines = [
    { ...automatic1111, ...more, headers, model: 'sd', username: 'asha', password: { env: 'PASSWORD' } },
    { ...comfyui, ...more, headers, workflow: 'flow-with-model.json', model: 'flux' },
    { ...openai, apiKey: { env: 'OPENAI_API_KEY' }, url: 'http://localhost:8080/v1' },
    { ...chat, apiKey: { env: 'KEY' } },
    { ...openrouter, models },
  ]
  const env = { PROXY_AUTHORIZATION: 'Bearer abc', PASSWORD: ' pass ', OPENAI_API_KEY: 'sk-x', KEY: 'sk-or' }
  const sampled = { steps: 30, sampler: 'Euler a', scheduler: 'Karras', cfgScale: 6.5 }
  const read = { ...sampled, loras: { ink: 'ink' } }
  const readHeaders = { Authorization: 'Bearer abc', 'X-Site': 'pictures' }
  expect(await enginesOf(engines, env)).toEqual([
    { ...automatic1111, ...read, headers: readHeaders, model: 'sd', username: 'asha', password: 'pass' },
    { ...comfyui, ...read, headers: readHeaders, workflow: workflowWithModel, model: 'flux' },
    { ...openai, apiKey: 'sk-x', baseUrl: 'http://localhost:8080/v1' },
    { ...chat, apiKey: 'sk-or' },
    { ...openrouter, url: 'https://openrouter.ai/api/v1', models, model: 'acme/painter' },
  ])
})

test('accepts the examples of the documentation', async () => {
  const document = await readFile(path.join(import.meta.dirname, '../../docs/engines.md'), 'utf8')
  const examples = [...document.matchAll(/```json\n(.*?)```/gs)].map(([, example = '']) => example)
  expect(examples.length).toBeGreaterThanOrEqual(2)
  for (const example of examples) {
    const names = [...example.matchAll(/"env": "(\w+)"/g)].map(([, name = '']) => name)
    await enginesOf(example, Object.fromEntries(names.map((name) => [name, 'a secret'])))
  }
})

test('reports a missing or unreadable file', async () => {
  expect(await issuesOf([rangoli], { ENGINES_FILE: 'missing.json' })).toEqual([
    'ENGINES_FILE: missing.json does not exist: there is no FOLDER/missing.json. Create it, or correct the path.',
  ])
  expect(await issuesOf([rangoli], { ENGINES_FILE: '/dev/zero' })).toEqual([
    'ENGINES_FILE: /dev/zero is no regular file. Correct the path.',
  ])
})

test.each([
  ['', 'engines.json is not valid JSON. Correct it.'],
  [`[{ "apiKey": ${secret} }]`, 'engines.json is not valid JSON. Correct it.'],
  ['[\n  {}\n  {}\n]', 'engines.json is not valid JSON (line 3). Correct it.'],
  [rangoli, 'engines.json must contain an array: put the engines into [ ].'],
  [[], 'engines.json must contain an engine. Add one, or remove ENGINES_FILE.'],
])('rejects %j as a whole', async (content, issue) => {
  expect(await issuesOf(content)).toEqual([`ENGINES_FILE: ${issue}`])
})

const { model: _model, ...withoutModel } = comfyui
const withUser = `http://asha:${secret}@localhost`

describe('names the engine by its id, and the setting', () => {
  test.each<
    [
      engine: { readonly id: string; readonly [setting: string]: unknown },
      setting: string,
      values: readonly unknown[],
    ]
  >([
    [rangoli, 'kind', ['dall-e', undefined]],
    [rangoli, 'label', [undefined, ' ', 'x'.repeat(61), 'two\nlines', 5]],
    [rangoli, 'model', ['rangoli-2']],
    [openai, 'price', [-1, 1_001, 'free', { 'gpt-image-2': '0.04' }]],
    [openai, 'apiKey', [undefined, '', `${secret}\n${secret}`, 5, { env: 'A', file: 'b' }]],
    [openai, 'apiKey', [{ env: 'IMAGES_KEY' }, { env: 'EMPTY' }]],
    [openai, 'model', [' ']],
    [openai, 'url', ['localhost:8080', withUser, 7]],
    [automatic1111, 'url', [undefined, 'ftp://localhost', withUser]],
    [{ ...automatic1111, username: 'asha' }, 'password', [undefined]],
    [{ ...automatic1111, password: secret }, 'username', [undefined]],
    [sdcpp, 'loras', ['ink', [1], { ink: '<b>' }, [''], { ink: '' }]],
    [automatic1111, 'headers', [{ 'X Key': secret }, { 'X-Key': { env: 'NONE' } }, [secret]]],
    [automatic1111, 'steps', [0, 20.5, '20']],
    [automatic1111, 'cfg', [31]],
    [automatic1111, 'sampler', ['']],
    [
      comfyui,
      'workflow',
      ['none', 'broken', 'editor', 'other', 'empty', 'engines'].map((it) => `${it}.json`),
    ],
    [withoutModel, 'workflow', [undefined, 'fixed.json', 'embedded.json']],
    [{ ...comfyui, workflow: 'flow.json' }, 'model', ['sd']],
    [{ ...comfyui, workflow: 'flow-with-model.json' }, 'model', [undefined]],
    [chat, 'url', [undefined]],
    [chat, 'model', [undefined]],
    [openrouter, 'apiKey', [undefined]],
    [openrouter, 'models', ['acme/painter']],
  ])('of %j: %s %j', async (engine, setting, values) => {
    for (const value of values) {
      expect(await issuesOf([{ ...engine, [setting]: value }], { EMPTY: ' ' })).toEqual([
        expect.stringMatching(`^ENGINES_FILE: engines\\.json, engine ${engine.id}: ${setting}[ .].*\\.$`),
      ])
    }
  })
})

test.each([
  [{ kind: 'rangoli', label: 'Patterns' }, 'id is missing'],
  [{ ...rangoli, id: 'Patterns' }, 'id must consist of'],
  [{ ...rangoli, id: 'images' }, 'id images is the id of engine number 1, too'],
  ['rangoli', 'must be an object'],
  [[rangoli], 'must be an object'],
])('names an engine without an id of its own by its number: %j', async (engine, issue) => {
  expect(await issuesOf([openai, engine])).toEqual([
    expect.stringContaining(`ENGINES_FILE: engines.json, engine number 2: ${issue}`),
  ])
})

test.each([
  [0.04, { default: 0.04 }],
  [
    { default: 0, large: 0.1 },
    { default: 0, large: 0.1 },
  ],
])('reads the price %j', async (price, parsed) => {
  expect(await enginesOf([{ ...rangoli, price }])).toEqual([{ ...rangoli, price: parsed }])
})

test.each([
  ['IMAGE_ENGINE', 'rangoli'],
  ['OPENAI_API_KEY', secret],
])('rejects %s together with an engines file', async (variable, value) => {
  expect(await issuesOf([rangoli], { [variable]: value })).toEqual([
    `${variable}: has no effect, as ENGINES_FILE configures the engines. Remove ${variable} or ENGINES_FILE.`,
  ])
})
