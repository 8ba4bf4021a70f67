import { beforeAll, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'

const server = shareTestServer()
let meera: TestUser
let asha: TestUser

beforeAll(async () => {
  meera = await signUpAdministrator(server())
  asha = await server().signUp('Asha Rao')
})

test('an administrator changes the daily image limit of the site with immediate effect', async () => {
  await meera.trpc.admin.options.update.mutate({ dailyImageLimit: 3 })
  expect(await asha.trpc.images.quota.query()).toMatchObject({ limit: 3 })
  await meera.trpc.admin.options.update.mutate({ dailyImageLimit: 20 })
  expect(await meera.trpc.admin.options.get.query()).toEqual({
    options: expect.objectContaining({ signUp: 'open', dailyImageLimit: 20, dailyImageTotal: null }),
    fixed: [],
  })
})

test('sign-up is closed and opened while the server runs, also on cached pages', async () => {
  const signUpOnPage = async () => {
    const html = await (await server().request('/about')).text()
    return /"signUp":"(\w+)"/.exec(html)?.[1]
  }
  expect(await signUpOnPage()).toBe('open')
  await meera.trpc.admin.options.update.mutate({ signUp: 'closed' })
  expect(await signUpOnPage()).toBe('closed')
  const account = { name: 'Ravi', email: 'ravi@example.org', password: 'correct horse' }
  expect((await server().postAccount('/sign-up/email', account)).status).toBe(400)
  await meera.trpc.admin.options.update.mutate({ signUp: 'open' })
  expect((await server().postAccount('/sign-up/email', account)).status).toBe(200)
})

test.each<[object, string]>([
  [{ dailyImageLimit: 0.5 }, '`dailyImageLimit` must be a whole number from 0 to 1,000,000.'],
  [{ dailyImageLimit: 1e9 }, '`dailyImageLimit` must be a whole number from 0 to 1,000,000.'],
  [{ engines: {} }, '`engines` is unknown.'],
])('rejects invalid input: %j', async (input, error) => {
  await expect(meera.trpc.admin.options.update.mutate(input)).rejects.toThrow(error)
})

test('an option that an environment variable sets is fixed', async () => {
  const fixed = await startTestServer({ env: { DAILY_IMAGE_LIMIT: '7', SIGN_UP: 'open' } })
  const administrator = await signUpAdministrator(fixed)
  const { options, fixed: names } = await administrator.trpc.admin.options.get.query()
  expect(options).toMatchObject({ dailyImageLimit: 7, signUp: 'open' })
  expect(names.toSorted()).toEqual(['dailyImageLimit', 'signUp'])
  await expect(administrator.trpc.admin.options.update.mutate({ dailyImageLimit: 8 })).rejects.toMatchObject({
    message: 'This option is set by an environment variable.',
    data: { httpStatus: 403 },
  })
})
