import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../server/http/app.ts'
import { databaseName } from '../../server/db/database-config.ts'
import { signUpAdministrator } from '../support/administrator.ts'
import { unlimitedWrites } from '../support/limits.ts'
import { freshAddress, shareTestServer, type TestUser } from '../support/test-server.ts'
import { anyRequest } from './any-request.ts'
import { createFilling } from './filling.ts'
import { fuzz, type FuzzReport } from './fuzz-run.ts'
import { proceduresUnderTest } from './procedure-inputs.ts'
import { isLongRun, seed } from './seed.ts'
import { findStoredJunk } from './stored-junk.ts'

const serviceToken = createHash('sha256').update('the token of the fuzz run').digest('hex')
const count = isLongRun ? 20_000 : 2_000
/** Megabytes by which the second half of the run may leave the process larger. */
const growthMax = 24

const log: string[] = []
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
  logTo: { write: (line) => void log.push(line) },
})

/** The routes of the app, each once; catch-all routes are covered by pages. */
function routesUnderTest() {
  const page = { script: '/assets/main.js', imports: [], styles: [] }
  const client = {
    directory: server().directory,
    ...page,
    lazyPages: {},
    messages: {},
    serviceWorker: null,
  }
  const routes = createApp(server().services, client).routes.filter(({ path }) => path !== '/*')
  return [...new Map(routes.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
}

describe(`after ${count} generated requests`, () => {
  let report: FuzzReport
  const prototype = Reflect.ownKeys(Object.prototype)

  beforeAll(async () => {
    const users = new Map<string, TestUser>()
    const { services, url } = server()
    const isSignedIn = async ({ cookie }: TestUser) =>
      (await services.authenticator.authenticate({ bearer: null, headers: new Headers({ cookie }) })) !== null

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

    const settle = async () => {
      const unfinished = services.db
        .selectFrom('images')
        .select('id')
        .where('state', 'in', ['queued', 'running'])
      await vi.waitFor(async () => expect(await unfinished.execute()).toEqual([]), 10_000)
    }

    report = await fuzz(
      {
        port: Number(new URL(url).port),
        headersOf(who) {
          const from: [string, string] = ['X-Forwarded-For', freshAddress()]
          if (who === 'anonymous') return [from]
          if (who === 'the token') return [from, ['Authorization', `Bearer ${serviceToken}`]]
          return [from, ...Object.entries(server().headersOf(users.get(who)))]
        },
        async refresh() {
          const [asha, ravi, token] = [await comeBack('Asha'), await comeBack('Ravi'), 'api-token']
          const own = {
            Asha: await createFilling(services, asha),
            Ravi: await createFilling(services, ravi),
            'the token': await createFilling(services, token),
          }
          return (who) => own[who === 'anonymous' ? 'Asha' : who]
        },
        settle,
        secrets: [serviceToken, databaseName(services.config.database), server().directory, process.cwd()],
      },
      anyRequest(routesUnderTest()),
      { count, seed },
    )
    if (isLongRun) {
      const { issues, succeeded, ...figures } = report
      const counts = { issues: issues.length, proceduresThatSucceeded: succeeded.size }
      console.info(JSON.stringify({ ...figures, ...counts }, null, 2))
    }
  }, 1_800_000)

  test('every response is valid', () => {
    const cases = report.issues.map(
      ({ issue, request, responses }) => `${issue}\n${JSON.stringify(request)}\n${responses.join('\n')}`,
    )
    // Add the request of a fixed defect to found-requests.ts, so that each run repeats it.
    expect(cases.join('\n\n'), `found with RANGOLI_SEED=${seed}`).toBe('')
    expect(report.requests).toBe(count)
  })

  test('many procedures succeed at least once', () => {
    for (const status of ['200', '400', '401', '404', '413']) expect(report.byStatus).toHaveProperty(status)
    // A short run does not cover the procedures of administrators.
    const procedures = proceduresUnderTest().filter(({ path }) => isLongRun || !path.startsWith('admin.'))
    // Uploads are binary, and passkeys require an authenticator: these requests have neither.
    const isPossible = (path: string) =>
      path !== 'images.upload' && !/^account\.passkeys\.(?:rename|delete)$/.test(path)
    const neverDone = procedures
      .map(({ path }) => path)
      .filter((path) => isPossible(path) && !report.succeeded.has(path))
    expect(neverDone.length, neverDone.join()).toBeLessThan(procedures.length * (isLongRun ? 0.5 : 0.6))
  })

  test('the log has no error', () => {
    const errors = log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)
    expect(errors.slice(0, 5)).toEqual([])
  })

  test('stored data is consistent', async () => {
    // A job whose user was deleted has a folder before its row, and removes it itself.
    await vi.waitFor(async () => expect(await findStoredJunk(server().services)).toEqual([]), 10_000)
  })

  test('no prototype is polluted', () => {
    expect(Reflect.ownKeys(Object.prototype)).toEqual(prototype)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('memory does not grow', () => {
    expect(report.memory.end - report.memory.half).toBeLessThan(growthMax)
  })

  test('the server still works', async () => {
    const meera = await server().signUp('Meera')
    const image = await meera.generate('A lotus after the storm')
    const post = await meera.trpc.posts.create.mutate({
      name: 'Meera',
      prompt: 'After the storm',
      imageId: image.id,
    })
    expect((await server().client().posts.list.query({ limit: 1 })).posts).toMatchObject([{ id: post.id }])
    const page = await server().request('/')
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('After the storm')
    const response = await server().request(post.photo)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
  })
})
