import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { databaseName } from '../server/db/database-config.ts'
import { parseConfig } from '../server/config/config.ts'
import { allOf, stagesOf, theOne, variablesOf, wordsOf } from './support/dockerfile.ts'
import { launch } from './support/server-process.ts'
import { signUp } from './support/user.ts'
import {
  giveTo,
  inventory,
  makeReadOnly,
  makeWritable,
  openFolder,
  spawnUnprivileged,
} from './support/unprivileged.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const dockerfile = read('Dockerfile')
const stages = stagesOf(dockerfile)
const [build = [], image = []] = stages
const variables = variablesOf(image)
const installation = '--mount=type=cache,target=/root/.npm npm ci'

describe('the Dockerfile', () => {
  test('passes the Dockerfile linter without warnings', () => {
    expect(validate(dockerfile)).toEqual([])
  })

  test('builds and runs on one exact version of Node 22, without a compiler for better-sqlite3', () => {
    const [, base] = /^ARG NODE_IMAGE=(.*)$/m.exec(dockerfile) ?? []
    expect(base).toMatch(/^node:22\.\d+\.\d+-trixie-slim(?:@sha256:[0-9a-f]{64})?$/)
    expect(stages.map((stage) => theOne(stage, 'FROM').split(' ')[0])).toEqual([
      '${NODE_IMAGE}',
      '${NODE_IMAGE}',
    ])
    expect(dockerfile).not.toMatch(/apt-get|python|g\+\+|build-from-source/)
    expect(read('docs/operations.md')).toContain(`docker buildx imagetools inspect ${base} `)
  })

  test('caches npm downloads between builds, outside of the image', () => {
    expect(allOf(build, 'RUN')).toContain(installation)
  })

  test('labels the image with version, revision and base image', () => {
    const { description, license } = JSON.parse(read('package.json')) as Record<string, string>
    const label = theOne(image, 'LABEL')
    for (const [name, value] of Object.entries({
      title: 'Rangoli',
      description,
      licenses: license,
      version: '${VERSION}',
      revision: '${REVISION}',
      'base.name': '${NODE_IMAGE}',
    })) {
      expect(label).toContain(`org.opencontainers.image.${name}="${value}"`)
    }
    const args = allOf(image, 'ARG').map((rest) => rest.split('=')[0])
    expect(args).toEqual(['NODE_IMAGE', 'VERSION', 'REVISION'])
  })

  test('installs the locked packages in a layer that sources do not invalidate', () => {
    const names = build.map(({ name, rest }) => `${name} ${rest}`)
    expect(names.indexOf(`RUN ${installation}`)).toBeLessThan(names.indexOf('COPY src ./src'))
    expect(theOne(build.slice(0, 3 + 1), 'COPY')).toBe('package.json package-lock.json .npmrc ./')
  })

  test('runs without privileges, with one volume for all data', () => {
    expect(theOne(image, 'USER')).toBe('node')
    const volume = theOne(image, 'VOLUME')
    const config = parseConfig(variables, '/app')
    expect(path.dirname(databaseName(config.database))).toBe(volume)
    expect(config.storage).toMatchObject({ directory: path.join(volume, 'uploads') })
    expect(theOne(image, 'RUN')).toBe(`mkdir ${volume} && chown node:node ${volume}`)
    expect(config).toMatchObject({ host: '0.0.0.0', port: Number(theOne(image, 'EXPOSE')) })
  })
})

const folder = mkdtempSync(path.join(tmpdir(), 'rangoli-image-'))
/** What the Dockerfile copies, which was never built. */
const sources = path.join(folder, 'build')

beforeAll(() => {
  openFolder(folder)
  mkdirSync(sources)
  for (const rest of allOf(build, 'COPY')) {
    const names = rest.split(' ').slice(0, -1)
    for (const name of names) {
      cpSync(path.join(root, name), path.join(sources, name), {
        recursive: true,
        // As .dockerignore does: the packages of the client's project.
        filter: (copied) => !path.basename(copied).startsWith('node_modules'),
      })
    }
  }
  // Instead of `npm ci`, which would install the same packages.
  symlinkSync(path.join(root, 'node_modules'), path.join(sources, 'node_modules'))
})

afterAll(() => {
  makeWritable(folder)
  rmSync(folder, { recursive: true, force: true })
})

describe('the build context', () => {
  const ignored = read('.dockerignore').split('\n')

  test('contains only what the Dockerfile copies', () => {
    expect(ignored.find((line) => line && !line.startsWith('#'))).toBe('*')
    const copied = allOf(build, 'COPY').flatMap((rest) => rest.split(' ').slice(0, -1))
    const sent = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(sent.toSorted()).toEqual(copied.toSorted())
    for (const name of copied) expect(existsSync(path.join(root, name))).toBe(true)
  })

  test('is all that npm start needs to build, and to serve from a process that has not built', async () => {
    const site = path.join(folder, 'site')
    mkdirSync(site)
    const token = 'a-token-to-read-metrics-with'
    const launcher = path.join(sources, 'server/launch.mjs')
    const server = launch(site, ['serve'], { METRICS_TOKEN: token }, launcher)
    onTestFinished(() => void server.child.kill('SIGKILL'))
    await expect
      .poll(server.output, { timeout: 60_000 })
      .toMatch(/^Building …\n.* is at http:\/\/\S+[\s\S]*uploads/)
    const url = /http:\/\/\S+/.exec(server.output())?.[0] ?? ''
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(await answer.text())?.[1])
    // A server that has also built holds 640 MB, one that has not 115 MB.
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(bytes).toBeLessThan(300_000_000)
    server.child.kill('SIGTERM')
    expect(await server.finished).toMatchObject({ code: 0 })
    expect(readdirSync(path.join(sources, 'dist'))).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)])
  })
})

/** Properties of a compose service that the tests use. */
interface Service {
  readonly image?: string
  readonly build?: string
  readonly pull_policy?: string
  readonly environment: Record<string, string | number>
  readonly env_file?: readonly { path: string; required: boolean }[]
  readonly volumes?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly restart?: string
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly stop_grace_period?: string
  readonly command?: readonly string[]
  readonly logging?: { driver: string; options: Record<string, string> }
  readonly depends_on?: readonly string[] | Readonly<Record<string, { condition: string }>>
}

interface Compose {
  readonly services: Record<string, Service>
  readonly volumes: Record<string, null>
}

function service(file: string, name: string): Service {
  const { services, volumes } = parse(read(file), { merge: true }) as Compose
  const found = services[name]
  if (!found) throw new Error(`${file} has no ${name}.`)
  // Compose rejects undeclared volumes.
  for (const volume of found.volumes ?? []) {
    const [source = ''] = volume.split(':')
    if (source.startsWith('./')) expect(existsSync(path.join(root, source))).toBe(true)
    else expect(Object.keys(volumes)).toContain(source)
  }
  return found
}

const asText = (environment: Service['environment']) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))

const rotatedLog = { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } }

describe('compose.yaml', () => {
  const rangoli = service('compose.yaml', 'rangoli')

  test('builds the image, with a volume and a port', () => {
    expect(rangoli).toMatchObject({ build: '.', pull_policy: 'build' })
    expect(rangoli.volumes).toEqual([`data:${theOne(image, 'VOLUME')}`])
    expect(rangoli.ports).toEqual([`\${PUBLISH_ADDRESS:-127.0.0.1}:3000:${theOne(image, 'EXPOSE')}`])
    expect(rangoli.restart).toBe('unless-stopped')
  })

  test('makes the rest of the file system read-only and drops privileges', () => {
    expect(rangoli).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  })

  test('overrides paths that .env sets for npm start', () => {
    expect(rangoli.env_file).toEqual([{ path: '.env', required: false }])
    const places = Object.entries(variables).filter(([name]) => !/^(?:NODE_ENV|MALLOC_\w+)$/.test(name))
    expect(asText(rangoli.environment)).toEqual(Object.fromEntries(places))
  })

  test('rotates the log of the container', () => {
    expect(rangoli.logging).toEqual(rotatedLog)
  })

  test('allows more time to stop than the server takes', () => {
    const seconds = Number(/^(\d+)s$/.exec(rangoli.stop_grace_period ?? '')?.[1])
    expect(seconds).toBeGreaterThan(parseConfig({}, '/app').shutdownSeconds + 5)
  })
})

describe('compose.local-model.yaml', () => {
  const rangoli = service('compose.local-model.yaml', 'rangoli')
  const model = service('compose.local-model.yaml', 'model')

  test('generates images with the model that the other service runs', () => {
    const together = {
      ...asText(service('compose.yaml', 'rangoli').environment),
      ...asText(rangoli.environment),
    }
    const config = parseConfig(together, '/app')
    expect(config.engines).toMatchObject([
      {
        kind: 'openai',
        id: 'openai',
        label: model.command?.[0],
        apiKey: null,
        baseUrl: 'http://model:8080/v1',
        model: model.command?.[0],
      },
    ])
    expect(config.imageTimeoutSeconds).toBeGreaterThan(600)
    expect(rangoli.depends_on).toEqual(['model'])
  })

  test('pins the version of the model server, and rotates its log', () => {
    expect(model.image).toMatch(/^localai\/localai:v\d+\.\d+\.\d+$/)
    expect(model.logging).toEqual(rotatedLog)
  })

  test('keeps downloads in volumes, and publishes no port', () => {
    expect(model.ports).toBeUndefined()
    const places = (model.volumes ?? []).map((volume) => volume.split(':')[1])
    expect(new Set(places)).toEqual(new Set(Object.values(asText(model.environment))))
  })
})

describe('compose.scale.yaml', () => {
  const file = 'compose.scale.yaml'
  const { services, volumes } = parse(read(file), { merge: true }) as Compose
  const webNames = ['web1', 'web2', 'web3']
  const workerNames = ['worker1', 'worker2']
  const secrets = {
    AUTH_SECRET: 'a'.repeat(64),
    POSTGRES_PASSWORD: 'b'.repeat(64),
    S3_SECRET_ACCESS_KEY: 'c'.repeat(64),
  }

  /** Environment of a service with the variables of .env, or their defaults, in place of references. */
  function environmentOf(name: string, env: Record<string, string> = secrets): Record<string, string> {
    const substitute = (text: string) =>
      text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, variable: string, kind: string, word: string) => {
        const value = env[variable] ?? (kind === '-' ? word : null)
        if (value === null) throw new Error(`${variable}: ${word}`)
        return value
      })
    const entries = Object.entries(asText(service(file, name).environment))
    return Object.fromEntries(entries.map(([variable, value]) => [variable, substitute(value)]))
  }

  test('runs three web processes and two workers with the same settings', () => {
    expect(Object.keys(services).filter((name) => services[name]?.build)).toEqual([
      ...webNames,
      ...workerNames,
    ])
    const { ROLE: _, ...shared } = environmentOf('web1')
    for (const name of [...webNames, ...workerNames]) {
      const role = workerNames.includes(name) ? 'worker' : 'web'
      expect(environmentOf(name)).toEqual({ ...shared, ROLE: role })
      expect(service(file, name)).toMatchObject({
        image: 'rangoli',
        pull_policy: 'build',
        restart: 'unless-stopped',
      })
      expect(service(file, name).ports).toBeUndefined()
      expect(service(file, name).depends_on).toEqual({
        postgres: { condition: 'service_healthy' },
        bucket: { condition: 'service_completed_successfully' },
      })
    }
  })

  test('configures them for the database, the bucket and HAProxy of the same file', () => {
    const config = parseConfig({ ...variables, ...environmentOf('worker1') }, '/app')
    const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: name } = environmentOf('postgres')
    expect(config.database).toMatchObject({
      kind: 'postgres',
      url: `postgres://${user}:${password}@postgres/${name}`,
    })
    const { MINIO_ROOT_USER: accessKeyId, MINIO_ROOT_PASSWORD: secretAccessKey } = environmentOf('s3')
    expect(config.storage).toMatchObject({
      kind: 's3',
      endpoint: 'http://s3:9000',
      bucket: service(file, 'bucket').command?.at(-1)?.replace('s3/', ''),
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
    })
    expect(environmentOf('bucket')).toEqual({
      MC_HOST_s3: `http://${accessKeyId}:${secretAccessKey}@s3:9000`,
    })
    expect(config).toMatchObject({ role: 'worker', proxyHops: 1, publicOrigin: 'http://localhost:3000' })
  })

  test.each(Object.keys(secrets))('does not start without %s', (name) => {
    const { [name]: _, ...others } = secrets as Record<string, string>
    expect(() => environmentOf('web1', others)).toThrow(`${name}: set it in .env`)
  })

  test('gives them no privileges, no place to write, and time to stop', () => {
    const { cap_drop, security_opt, stop_grace_period } = service('compose.yaml', 'rangoli')
    for (const name of [...webNames, ...workerNames]) {
      expect(service(file, name)).toMatchObject({
        read_only: true,
        tmpfs: ['/tmp', theOne(image, 'VOLUME')],
        cap_drop,
        security_opt,
        stop_grace_period,
      })
      expect(service(file, name).volumes).toBeUndefined()
    }
  })

  test('publishes HAProxy alone, with the configuration of the example for these processes', () => {
    const published = Object.keys(services).filter((name) => services[name]?.ports)
    expect(published).toEqual(['haproxy'])
    expect(services['haproxy']?.ports).toEqual(['${PUBLISH_ADDRESS:-127.0.0.1}:3000:3000'])
    expect(services['haproxy']?.volumes?.[0]).toContain('./examples/haproxy/compose.cfg:')
    const lines = (name: string) =>
      read(`examples/haproxy/${name}.cfg`)
        .replaceAll(/10\.0\.0\.1(\d):/g, 'web$1:')
        .replaceAll(' resolvers docker init-addr none', '')
        .split('\n')
    const added = lines('compose').filter((line) => !lines('haproxy').includes(line))
    const left = lines('haproxy').filter((line) => !lines('compose').includes(line))
    expect(added.filter((line) => !line.startsWith('#')).map((line) => line.trim())).toEqual([
      'resolvers docker',
      'nameserver dns 127.0.0.11:53',
      'hold valid 1s',
      'bind :3000',
    ])
    expect(left.filter((line) => !line.startsWith('#')).map((line) => line.trim())).toEqual([
      expect.stringMatching(/^bind :443 /),
      'http-request set-header X-Forwarded-Proto https',
    ])
    const servers = read('examples/haproxy/compose.cfg').matchAll(/^ {4}server (\w+) (\w+):3000$/gm)
    expect([...servers].map(([, name, host]) => [name, host])).toEqual(
      [...webNames, ...webNames].map((name) => [name, name]),
    )
  })

  test('pins versions, keeps data in volumes, and rotates logs', () => {
    const images = Object.entries(services).flatMap(([, { image: name, build: ours }]) =>
      ours ? [] : [name],
    )
    expect(images).toEqual([
      expect.stringMatching(/^haproxy:\d+\.\d+\.\d+-alpine$/),
      expect.stringMatching(/^postgres:\d+\.\d+$/),
      expect.stringMatching(/^minio\/minio:RELEASE\.\S+Z$/),
      expect.stringMatching(/^minio\/mc:RELEASE\.\S+Z$/),
    ])
    expect(volumes).toEqual({ database: null, images: null })
    for (const { logging } of Object.values(services)) expect(logging).toEqual(rotatedLog)
  })
})

describe('the packed server', () => {
  const app = path.join(folder, 'app')
  const data = path.join(folder, 'data')

  beforeAll(() => {
    mkdirSync(data)
    giveTo(data)
    for (const command of allOf(build, 'RUN').filter((rest) => rest !== installation)) {
      const [program = '', ...args] = command.split(' ').map((word) => (word === '/app' ? app : word))
      execFileSync(program === 'node' ? process.execPath : program, args, { cwd: sources, stdio: 'pipe' })
    }
    rmSync(sources, { recursive: true })
    makeReadOnly(app)
  })

  /** The image's environment, with a temporary volume and port. */
  function environment(port = 0): Record<string, string | undefined> {
    const moved = Object.entries(variables).map(([name, value]) => [name, value.replace('/data', data)])
    return { ...Object.fromEntries(moved), PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port) }
  }

  /** Runs a command of the image without privileges. */
  function run(words: readonly string[], env = environment()) {
    const child = spawnUnprivileged(
      words.map((word) => word.replace('/app/', `${app}/`)),
      { cwd: theOne(image, 'WORKDIR').replace('/app', app), env },
    )
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = once(child, 'close').then(([code]) => code as number | null)
    return { child, ended, output: () => output }
  }

  const entrypoint = wordsOf(theOne(image, 'ENTRYPOINT'))
  const health = wordsOf(theOne(image, 'HEALTHCHECK'))

  async function start() {
    const server = run([...entrypoint, ...wordsOf(theOne(image, 'CMD'))])
    const failed = server.ended.then((code) => {
      throw new Error(`The server ended with ${code}: ${server.output()}`)
    })
    const found = expect.poll(server.output, { timeout: 20_000 }).toMatch(/http:\/\/\S+[\s\S]*uploads/)
    await Promise.race([found, failed])
    failed.catch(() => {})
    return { ...server, url: /http:\/\/\S+/.exec(server.output())?.[0] ?? '' }
  }

  test('contains the build and its packages in few megabytes', () => {
    expect(readdirSync(app).toSorted()).toEqual(['client', 'node_modules', 'package.json', 'server'])
    const names = readdirSync(app, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => /^(?:client|server)\/.*\.tsx?$/.test(name))).toEqual([])
    expect(names.filter((name) => /better-sqlite3\/.*\.(?:[acoh]|cpp)$/.test(name))).toEqual([])
    const bytes = names.reduce((sum, name) => sum + statSync(path.join(app, name)).size, 0)
    expect(bytes).toBeLessThan(60_000_000)
  })

  test('serves the gallery, generates an image and stops, writing to its volume only', async () => {
    const before = inventory(app)
    const server = await start()
    try {
      const page = await (await fetch(server.url)).text()
      expect(page).toContain('Text-to-Image AI Generator')
      const script = /data-src="([^"]+)"|<script type="module" src="([^"]+)"/.exec(page)
      expect((await fetch(server.url + (script?.[1] ?? script?.[2]))).status).toBe(200)
      expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ ready: true })
      const asha = await signUp(server.url)
      const post = await asha.share('A lotus at dawn')
      expect((await fetch(server.url + post.photo)).headers.get('content-type')).toBe('image/jpeg')

      const port = Number(new URL(server.url).port)
      expect(await run(health, environment(port)).ended).toBe(0)
      // While the server runs, as with `docker compose exec`.
      const list = run([...entrypoint, 'account', 'list'])
      expect([await list.ended, list.output()]).toEqual([0, expect.stringContaining(asha.email)])

      server.child.kill('SIGTERM')
      expect(await server.ended).toBe(0)
      expect(await run(health, environment(port)).ended).toBe(1)
    } finally {
      server.child.kill('SIGKILL')
    }
    expect(inventory(app)).toEqual(before)
    expect(readdirSync(data).toSorted()).toEqual(['auth-secret', 'rangoli.db', 'rangoli.db.lock', 'uploads'])
  })

  test('rejects Node 24 with a better-sqlite3 that would abort it', async () => {
    const copy = path.join(folder, 'app-24')
    cpSync(app, copy, { recursive: true })
    makeWritable(copy)
    // What the linker would have written for the headers of Node 24.19, where it does no harm.
    appendFileSync(
      path.join(copy, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'),
      '\0_ZN4node28RemoveEnvironmentCleanupHookEPN2v87IsolateEPFvPvES3_\0',
    )
    const node24 = "data:text/javascript,Object.defineProperty(process, 'version', { value: 'v24.21.0' })"
    for (const command of ['serve', 'account list', 'doctor']) {
      const words = ['node', '--import', node24, path.join(copy, 'server/main.js'), ...command.split(' ')]
      const { ended, output } = run(words)
      expect({ command, code: await ended }).toEqual({ command, code: 1 })
      expect(output()).toMatch(
        /^better-sqlite3 was compiled from source .* abort under load .*Use Node 22.*\n$/,
      )
    }
  })
})
