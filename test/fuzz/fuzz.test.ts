import { createHash } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sample } from 'fast-check'
import pLimit from 'p-limit'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../server/http/app.ts'
import { databaseName } from '../../server/db/database-config.ts'
import { signUpAdministrator } from '../support/administrator.ts'
import { unlimitedWrites } from '../support/limits.ts'
import { freshAddress, shareTestServer, type TestUser } from '../support/test-server.ts'
import { checkResponse } from './check-response.ts'
import { sendRequest, type Fill, type FuzzRequest } from './exchange.ts'
import { createFilling } from './filling.ts'
import { anyRequest, foundRequests, procedurePaths, type ToolUnderTest } from './requests.ts'
import { isLongRun, seed } from './seed.ts'
import { findStoredJunk } from './stored-junk.ts'

const serviceToken = createHash('sha256').update('the token of the fuzz run').digest('hex')
const count = isLongRun ? 20_000 : 500
const batchSize = 250
const maxResponseMs = 5_000
/** Stops a run. */
const maxIssues = 10
/** Megabytes by which the second half of the run may leave the process larger. */
const growthMax = 24

const server = shareTestServer({
  env: {
    API_TOKEN: serviceToken,
    // Fixed, so that no generated change of options closes it to the users below.
    SIGN_UP: 'open',
    DAILY_IMAGE_LIMIT: '100000',
    DAILY_UPLOAD_LIMIT: '100000',
    DAILY_POST_LIMIT: '100000',
    WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1',
  },
  // Rate limits have their own tests; here they would reject most requests before the code under test.
  writeLimits: unlimitedWrites(),
})

/** The routes of the app, each once; catch-all routes are covered by pages. */
function routesUnderTest() {
  const client = {
    directory: server().directory,
    filesOf: () => ({ scripts: [], styles: [] }),
    fontsOf: () => [],
    serviceWorker: null,
  }
  const routes = createApp(server().services, client).routes.filter(({ path }) => path !== '/*')
  return [...new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
}

/** The tools that the MCP server lists. */
async function toolsUnderTest(): Promise<ToolUnderTest[]> {
  const question = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const accept = 'application/json, text/event-stream'
  const response = await server().postJson('/mcp', question, { bearer: serviceToken }, { accept })
  const [, data = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
  const { result } = JSON.parse(data) as { result: { tools: ToolUnderTest[] } }
  return result.tools
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Megabytes of the heap after garbage collection. */
async function heapSize(): Promise<number> {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage()
    // Lets callbacks of the event loop release their references.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

describe(`after ${count} generated requests`, () => {
  const users = new Map<string, TestUser>()
  const issues: { readonly issue: string; readonly request: FuzzRequest; readonly responses?: string[] }[] =
    []
  /** Number of responses by status; 'none' for connections closed without one. */
  const byStatus: Record<string, number> = {}
  /** Procedures that succeeded at least once. */
  const succeeded = new Set<string>()
  const prototype = Reflect.ownKeys(Object.prototype)
  let slowestMs = 0
  let done = 0
  let growth = Number.NaN

  async function isSignedIn({ cookie }: TestUser): Promise<boolean> {
    const credentials = { bearer: null, headers: new Headers({ cookie }) }
    return (await server().services.authenticator.authenticate(credentials)) !== null
  }

  let imagesSoFar = 0

  /**
   * Signs a user up again if a request has ended the session or the account, and shares new images. Each has bytes of
   * its own: fuzzed calls of an administrator hide and delete images, and those cannot be shared again.
   */
  async function comeBack(name: 'Asha' | 'Ravi'): Promise<string> {
    let user = users.get(name)
    if (!user || !(await isSignedIn(user))) {
      user = name === 'Ravi' ? await signUpAdministrator(server(), name) : await server().signUp(name)
      users.set(name, user)
    }
    for (const prompt of ['A lotus', 'Two lotuses', 'A pond of lotuses']) {
      const { id: imageId } = await user.generate(`${prompt}, number ${(imagesSoFar += 1)}`)
      await user.trpc.posts.create.mutate({ name, prompt, imageId })
    }
    return user.id
  }

  /** Waits for unfinished jobs. */
  async function settle(): Promise<void> {
    const images = server().services.db.selectFrom('images').select('id')
    const unfinished = images.where('state', 'in', ['queued', 'running'])
    await vi.waitFor(async () => expect(await unfinished.execute()).toEqual([]), 45_000)
  }

  /** Headers that authenticate a request. */
  function ownHeaders({ who, headers }: FuzzRequest, host: string): FuzzRequest['headers'] {
    const own: [string, string][] = [
      ['Connection', 'close'],
      ['X-Forwarded-For', freshAddress()],
    ]
    if (!headers.some(([name]) => name === 'Host')) own.push(['Host', host])
    if (who === 'the token') return [...own, ['Authorization', `Bearer ${serviceToken}`]]
    return who === 'anonymous' ? own : [...own, ...Object.entries(server().headersOf(users.get(who)))]
  }

  const secrets = () => [
    serviceToken,
    databaseName(server().services.config.database),
    server().directory,
    process.cwd(),
  ]

  /** Sends a request, records the issues of its responses and returns its duration in milliseconds. */
  async function attempt(request: FuzzRequest, fill: Fill): Promise<number> {
    const { host, port } = new URL(server().url)
    const { responses, duration, hangs } = await sendRequest(
      Number(port),
      request,
      fill,
      ownHeaders(request, host),
    )
    for (const status of responses.length > 0 ? responses.map((response) => response.status) : ['none'])
      byStatus[status] = (byStatus[status] ?? 0) + 1
    const procedure = /^\/trpc\/([\w.]+)(?:\?|$)/.exec(request.target)?.[1]
    const texts = responses.map(({ body }) => body.toString('utf8'))
    if (procedure !== undefined && texts.some((text) => /"result"|,\[\[\{"data"|^event: return$/m.test(text)))
      succeeded.add(procedure)
    const found = responses.map((response) => checkResponse(request, response, secrets()))
    if (hangs) found.push('There is no response.')
    if (responses.length === 0 && request.delivery === 'whole' && request.version === 'HTTP/1.1')
      found.push('The connection was closed without a response.')
    for (const issue of found) {
      if (issue !== null) issues.push({ issue, request, responses: texts.map((text) => text.slice(0, 500)) })
    }
    return duration
  }

  async function tryBatch(batch: readonly FuzzRequest[]): Promise<void> {
    const { services } = server()
    const fills = {
      Asha: await createFilling(services, await comeBack('Asha')),
      Ravi: await createFilling(services, await comeBack('Ravi')),
      'the token': await createFilling(services, 'api-token'),
    }
    const send = (request: FuzzRequest) =>
      attempt(request, fills[request.who === 'anonymous' ? 'Asha' : request.who])
    const several = pLimit(6)
    const durations = await Promise.all(batch.map((request) => several(() => send(request))))
    for (const [index, request] of batch.entries()) {
      let duration = durations[index] ?? 0
      // Repeats a slow request, as the machine may have been busy.
      if (duration > maxResponseMs) duration = Math.min(duration, await send(request))
      slowestMs = Math.max(slowestMs, duration)
      if (duration > maxResponseMs)
        issues.push({ issue: `The response took ${Math.round(duration)} ms.`, request })
    }
  }

  beforeAll(async () => {
    const requests = anyRequest(routesUnderTest(), await toolsUnderTest())
    await tryBatch(foundRequests)
    let half = Number.NaN
    while (done < count && issues.length < maxIssues) {
      const numRuns = Math.min(batchSize, count - done)
      await tryBatch(sample(requests, { seed: seed + done, numRuns }))
      done += numRuns
      if (!Number.isNaN(half) || done < count / 2) continue
      await settle()
      half = await heapSize()
    }
    await settle()
    growth = (await heapSize()) - half
    if (isLongRun) console.info({ done, byStatus, slowestMs, growth, succeeded: succeeded.size })
  }, 1_800_000)

  test('every response is valid', () => {
    const cases = issues.map(
      ({ issue, request, responses = [] }) => `${issue}\n${JSON.stringify(request)}\n${responses.join('\n')}`,
    )
    // Add the request of a fixed defect to `foundRequests`, so that each run repeats it.
    expect(cases.join('\n\n'), `found with RANGOLI_SEED=${seed}`).toBe('')
    expect(done).toBe(count)
  })

  test('many procedures succeed at least once', () => {
    for (const status of ['200', '400', '401', '404', '413']) expect(byStatus).toHaveProperty(status)
    // A short run does not cover the procedures of administrators, and few of the others more than four times.
    const procedures = procedurePaths().filter((path) => isLongRun || !/^(?:admin|site|setup)\./.test(path))
    // Uploads are binary, and passkeys require an authenticator: these requests have neither.
    const isPossible = (path: string) =>
      !['images.upload', 'images.uploadForEdit', 'posts.verify'].includes(path) &&
      !/^account\.passkeys\.(?:rename|delete)$/.test(path)
    const neverDone = procedures.filter((path) => isPossible(path) && !succeeded.has(path))
    expect(neverDone.length, neverDone.join()).toBeLessThan(procedures.length * (isLongRun ? 0.5 : 0.8))
  })

  test('stored data is consistent, and the log has no error', async () => {
    const errors = server().lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)
    expect(errors.slice(0, 5)).toEqual([])
    // A job whose user was deleted has a folder before its row, and removes it itself.
    await vi.waitFor(async () => expect(await findStoredJunk(server().services)).toEqual([]), 45_000)
  })

  test('no prototype is polluted, and memory does not grow', () => {
    expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(growth).toBeLessThan(growthMax)
  })

  test('the server still works', async () => {
    const meera = await server().signUp('Meera')
    const { id: imageId } = await meera.generate('A lotus after the storm')
    const post = await meera.trpc.posts.create.mutate({ name: 'Meera', prompt: 'After the storm', imageId })
    expect((await server().client().posts.list.query({ limit: 1 })).posts).toMatchObject([{ id: post.id }])
    expect(await (await server().request('/')).text()).toContain('After the storm')
    expect((await server().request(post.photo)).headers.get('content-type')).toBe('image/jpeg')
  })
})
