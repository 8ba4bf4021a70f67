import { describe, expect, test } from 'vitest'
import { failWrites } from '../../test/support/databases.ts'
import { makeAccount, otherDevice, signIn, statusFor, type TestAccount } from '../../test/support/accounts.ts'
import { createScriptedEngine, follow } from '../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { uploadsIn } from '../../test/support/site.ts'

const remove = (
  server: TestServer,
  { cookie, password }: Pick<TestAccount, 'cookie' | 'password'>,
  query = '',
) => server.postAccount(`/delete-user${query}`, { password }, { cookie })

const shareOne = async (who: TestAccount, prompt: string) => (await who.share(prompt)).id

const postIds = async (server: TestServer) =>
  (await server.client().posts.list.query()).posts.map(({ id }) => id)

describe('an account', () => {
  const server = shareTestServer()

  test.each([
    ['', true],
    ['?posts=remove', false],
  ])('is deleted%s with its password, sessions and cookie', async (query, keeps) => {
    const asha = await makeAccount(server())
    const phone = await otherDevice(server(), asha)
    const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
    const post = await shareOne(asha, 'A lotus')
    const answer = await remove(server(), asha, query)
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/session_token=;.*Max-Age=0/))
    expect(await statusFor(server(), asha.cookie)).toBe(401)
    expect(await statusFor(server(), phone)).toBe(401)
    const robot = server().client({ authorization: `Bearer ${key}` })
    await expect(robot.viewer.query()).rejects.toThrow('The bearer token is not valid.')
    expect(await signIn(server(), asha)).toMatchObject({ status: 401 })
    expect((await postIds(server())).includes(post)).toBe(keeps)
    expect(await server().services.authenticator.profileOf(asha.id)).toBeNull()
  })

  test('is deleted once by concurrent requests', async () => {
    const asha = await makeAccount(server())
    const press = () => remove(server(), asha)
    const statuses = (await Promise.all([press(), press(), press()])).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(await server().services.authenticator.profileOf(asha.id)).toBeNull()
  })

  test('can be created again after deletion, as a new user', async () => {
    const asha = await makeAccount(server())
    await shareOne(asha, 'A lotus')
    await remove(server(), asha)
    const again = await makeAccount(server(), { email: asha.email })
    expect(again.id).not.toBe(asha.id)
    expect(await again.trpc.images.list.query()).toMatchObject({ images: [] })
    expect(await again.trpc.images.quota.query()).toMatchObject({ used: 0 })
  })

  test('is not deleted without its password, or with other input', async () => {
    const asha = await makeAccount(server())
    // Without a password, better-auth would accept any session of the last day.
    const post = await shareOne(asha, 'A lotus')
    const kept = await asha.generate('A kite')
    const password = 'a first password'
    for (const [body, query, code] of [
      [{ password: 'not the first' }, '', 'INVALID_PASSWORD'],
      [{}, '', 'CONFIRMATION_NEEDED'],
      [{ password: '' }, '', 'BAD_INPUT'],
      [{ password: [password] }, '', 'BAD_INPUT'],
      [{ password: 'x'.repeat(10_000) }, '', 'PASSWORD_TOO_LONG'],
      [{ password, token: 'x' }, '', 'BAD_INPUT'],
      [{ password, callbackURL: '/' }, '', 'BAD_INPUT'],
      [{ password }, '?posts=sell', 'BAD_INPUT'],
      [{ password }, '?posts=keep&posts=remove', 'BAD_INPUT'],
    ] as const) {
      const answer = await server().postAccount(`/delete-user${query}`, body, { cookie: asha.cookie })
      expect([answer.status, await answer.json()]).toMatchObject([400, { code }])
    }
    expect(await statusFor(server(), asha.cookie)).toBe(200)
    expect(await postIds(server())).toContain(post)
    expect((await asha.trpc.images.list.query()).images[0]).toMatchObject(kept)
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 2 })
  })
})

test('a running generation is canceled when the account is deleted', async () => {
  const { engine, waitForJob } = createScriptedEngine()
  const server = await startTestServer({
    engine,
    env: { IMAGE_CONCURRENCY: '1' },
  })
  const [asha, ravi] = [await makeAccount(server), await server.signUp()]
  const running = follow(asha.trpc, { prompt: 'It runs' })
  const job = await waitForJob('It runs')
  const waiting = follow(asha.trpc, { prompt: 'It waits' })
  await waiting.seen('queued')
  const another = follow(ravi.trpc, { prompt: 'It is another’s' })
  await another.seen('queued')

  expect((await remove(server, asha)).status).toBe(200)
  expect(job.signal.aborted).toBe(true)
  await expect(running.ended).rejects.toThrow(/./)
  await expect(waiting.ended).rejects.toThrow(/./)
  await (await waitForJob('It is another’s')).finish()
  await another.ended
  expect(await uploadsIn(server.directory)).toHaveLength(1)
  const owners = await server.services.db.selectFrom('images').select('owner_id').execute()
  expect(owners).toEqual([{ owner_id: ravi.id }])
  expect(server.lines.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('an account whose data could not be deleted remains, so that the user can try again', async () => {
  const server = await startTestServer()
  const asha = await makeAccount(server)
  const post = await shareOne(asha, 'A lotus')
  const recover = await failWrites(server.services.db, 'DELETE', 'daily_usage')
  expect((await remove(server, asha, '?posts=remove')).status).toBe(500)
  expect(await statusFor(server, asha.cookie)).toBe(200)
  expect(await postIds(server)).toEqual([post])
  await recover()
  expect((await remove(server, asha, '?posts=remove')).status).toBe(200)
  expect(await postIds(server)).toEqual([])
  expect(await uploadsIn(server.directory)).toEqual([])
})
