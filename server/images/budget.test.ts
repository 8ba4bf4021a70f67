import { describe, expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { createScriptedEngine, eventually, expectState, follow } from '../../test/support/generations.ts'
import { startTestServer, type TestServer, type TestUser } from '../../test/support/test-server.ts'
import { transports, trpcTransport } from '../../test/support/transports.ts'

const budgetOf = async (user: TestUser) => (await user.trpc.images.quota.query()).budget

const money = (limit: number, spent: number, reserved: number) => ({ limit, spent, reserved })

const metricsToken = 'metrics-token-of-sixteen'

const exceeded = { data: { reason: 'budget_exceeded', httpStatus: 429 } }

/** Starts a site whose images cost 0.04 USD by the operator's price, with `env`. */
async function startSite(
  env: Record<string, string>,
  { reportsCost, ...rest }: { reportsCost?: boolean; now?: () => number } = {},
) {
  const prices = reportsCost === undefined ? { default: 0.04 } : undefined
  const scripted = createScriptedEngine({ prices, ...(reportsCost && { reportsCost }) })
  const server = await startTestServer({ engine: scripted.engine, env, ...rest })
  return { ...scripted, server, asha: await server.signUp() }
}

const rowsOf = ({ services: { db } }: TestServer) =>
  db.selectFrom('monthly_spending').select(['user_id', 'month', 'micros']).orderBy('month').execute()

test('the overview of administrators has what the site spent and reserved this month', async () => {
  const { server, asha, waitForJob } = await startSite({ MONTHLY_BUDGET: '100' })
  const meera = await signUpAdministrator(server)
  await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })
  const spending = async () => (await meera.trpc.admin.overview.query()).spending
  expect(await spending()).toEqual(money(100, 0, 0.04))
  await (await waitForJob('A lotus')).finish(undefined, { cost: 0.03 })
  await eventually(spending).toEqual(money(100, 0.03, 0))
})

test('administrators give a user a budget of their own, which the log has', async () => {
  const { server, asha } = await startSite({ MONTHLY_BUDGET_PER_USER: '5' })
  const meera = await signUpAdministrator(server)
  const update = (monthlyBudget: number | null) =>
    meera.trpc.admin.users.update.mutate({ id: asha.id, monthlyBudget })
  expect(await update(0.05)).toMatchObject({ monthlyBudget: 0.05 })
  expect(await budgetOf(asha)).toMatchObject(money(0.05, 0, 0))
  const two = asha.trpc.images.generate.mutate({ prompt: 'Two', count: 2 })
  await expect(two).rejects.toMatchObject(exceeded)
  await asha.trpc.images.generate.mutate({ prompt: 'One' })
  expect(await update(null)).toMatchObject({ monthlyBudget: null })
  expect(await budgetOf(asha)).toMatchObject(money(5, 0, 0.04))
  await asha.trpc.images.generate.mutate({ prompt: 'Two', count: 2 })
  await expect(update(-1)).rejects.toMatchObject({ data: { httpStatus: 400 } })
  const { entries } = await meera.trpc.admin.auditLog.query()
  const record = { action: 'change_monthly_budget', details: { from: null, to: 0.05 } }
  expect(entries[1]).toMatchObject({ record })
})

test('administrators and metrics have what images have cost by day and engine, also of deleted images', async () => {
  const now = Date.parse('2026-11-26T23:59:00Z')
  const { server, asha, waitForJob } = await startSite({ METRICS_TOKEN: metricsToken }, { now: () => now })
  const meera = await signUpAdministrator(server)
  for (const [prompt, cost] of [
    ['One', 0.03],
    ['Two', undefined],
  ] as const) {
    const [image] = (await asha.trpc.images.generate.mutate({ prompt })).images
    await (await waitForJob(prompt)).finish(undefined, { ...(cost !== undefined && { cost }) })
    await expectState(asha, image?.id ?? '', { state: 'succeeded' })
    await asha.trpc.images.delete.mutate({ id: image?.id ?? '' })
    await asha.trpc.images.deletePermanently.mutate({ id: image?.id ?? '' })
  }
  const [entry] = (await meera.trpc.admin.spending.query()).spending
  const user = { userId: asha.id, name: 'Asha Rao' }
  expect(entry).toEqual({ day: '2026-11-26', engine: expect.any(String), ...user, cost: 0.07 })
  expect((await meera.trpc.admin.spending.query({ month: '2026-10' })).spending).toEqual([])
  const metrics = await server.request('/metrics', { headers: { authorization: `Bearer ${metricsToken}` } })
  expect(await metrics.text()).toMatch(/^rangoli_spending_usd\{engine="[\w-]+"\} 0.07$/m)
})

describe('a budget', () => {
  test.each([
    ['the price, if the provider reports no cost', {}, { spent: 0.04, cost: 0.04 }],
    ['a lower cost of the provider', { cost: 0.0312 }, { spent: 0.0312, cost: 0.0312 }],
    ['a higher one', { cost: 0.08 }, { spent: 0.08, cost: 0.08 }],
    ['nothing, if the provider says so', { cost: 0 }, { spent: 0, cost: 0 }],
  ])('reserves the price of an image, and then has spent %s', async (_, settings, { spent, cost }) => {
    const { server, asha, waitForJob } = await startSite({
      MONTHLY_BUDGET_PER_USER: '5',
      MONTHLY_BUDGET: '100',
    })
    const [image] = (await asha.trpc.images.generate.mutate({ prompt: 'A lotus' })).images
    expect(await budgetOf(asha)).toMatchObject({ ...money(5, 0, 0.04), currency: 'USD' })
    await (await waitForJob('A lotus')).finish(undefined, settings)
    await expectState(asha, image?.id ?? '', { state: 'succeeded', cost })
    expect(await budgetOf(asha)).toMatchObject(money(5, spent, 0))
    expect((await rowsOf(server)).map(({ micros }) => micros)).toEqual([spent * 1e6, spent * 1e6])
  })

  test('of which little is left accepts a request in whole or not at all, on each transport', async () => {
    const { server, asha, jobs } = await startSite({ MONTHLY_BUDGET_PER_USER: '0.10' })
    const three = asha.trpc.images.generate.mutate({ prompt: 'Three', count: 3 })
    await expect(three).rejects.toMatchObject(exceeded)
    expect(await budgetOf(asha)).toMatchObject(money(0.1, 0, 0))
    await asha.trpc.images.generate.mutate({ prompt: 'Two', count: 2 })
    for (const { generate } of transports)
      expect(await generate(server, { prompt: 'More' }, asha)).toMatchObject({ status: 429, retryAfter: 30 })
    const { images } = await asha.trpc.images.list.query()
    expect(images).toHaveLength(2)
    // What was rejected does not count on the day either.
    expect(await asha.trpc.images.quota.query()).toMatchObject({ used: 2 })
    await eventually(() => jobs.length).toBe(2)
  })

  test('of the site admits exactly as many of simultaneous requests as it pays for', async () => {
    const { server, asha } = await startSite({ MONTHLY_BUDGET: '0.20' })
    const users = [asha, ...(await Promise.all(Array.from({ length: 3 }, () => server.signUp())))]
    const calls = [...users, ...users, ...users].map((user, index) =>
      user.trpc.images.generate.mutate({ prompt: `At once ${index}` }),
    )
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await budgetOf(asha)).toMatchObject(money(0.2, 0, 0.2))
  })

  test('has everything back after a failure and a cancellation in the queue, and pays for what was sent', async () => {
    const { server, asha, waitForJob } = await startSite({
      MONTHLY_BUDGET: '1',
      MONTHLY_BUDGET_PER_USER: '1',
      IMAGE_CONCURRENCY: '1',
    })
    const failed = follow(asha.trpc, { prompt: 'Fails' })
    const job = await waitForJob('Fails')
    const [queued] = (await asha.trpc.images.generate.mutate({ prompt: 'Waits' })).images
    expect(await budgetOf(asha)).toMatchObject(money(1, 0, 0.08))
    await asha.trpc.images.cancel.mutate({ id: queued?.id ?? '' })
    expect(await budgetOf(asha)).toMatchObject(money(1, 0, 0.04))
    job.fail(new Error('out of paint'))
    await Promise.allSettled([failed.ended])
    expect(await budgetOf(asha)).toMatchObject(money(1, 0, 0))
    const [sent] = (await asha.trpc.images.generate.mutate({ prompt: 'Sent' })).images
    await waitForJob('Sent')
    await asha.trpc.images.cancel.mutate({ id: sent?.id ?? '' })
    await eventually(() => budgetOf(asha)).toMatchObject(money(1, 0.04, 0))
    expect((await rowsOf(server)).map(({ micros }) => micros)).toEqual([40_000, 40_000])
  })

  test('counts an image in the month in which it was accepted', async () => {
    let now = Date.UTC(2026, 10, 30, 23, 59, 59)
    const { server, asha, waitForJob } = await startSite(
      { MONTHLY_BUDGET_PER_USER: '0.04' },
      { now: () => now },
    )
    const late = follow(asha.trpc, { prompt: 'Before midnight' })
    const job = await waitForJob('Before midnight')
    const rejected = asha.trpc.images.generate.mutate({ prompt: 'Too much' })
    await expect(rejected).rejects.toMatchObject({ data: { reason: 'budget_exceeded', retryAfter: 1 } })
    now += 1_000
    const resetsAt = '2027-01-01T00:00:00.000Z'
    expect(await budgetOf(asha)).toEqual({ ...money(0.04, 0, 0), currency: 'USD', resetsAt })
    await asha.trpc.images.generate.mutate({ prompt: 'After midnight' })
    await job.finish(undefined, { cost: 0.03 })
    await late.ended
    expect(await budgetOf(asha)).toMatchObject(money(0.04, 0, 0.04))
    const own = (await rowsOf(server)).filter(({ user_id }) => user_id !== '')
    expect(own.map(({ month, micros }) => [month, micros])).toEqual([
      [202611, 30_000],
      [202612, 40_000],
    ])
  })

  test('of the user and of the site: quota has the one with less left', async () => {
    const { server, asha } = await startSite({
      MONTHLY_BUDGET: '0.16',
      MONTHLY_BUDGET_PER_USER: '0.10',
    })
    expect(await budgetOf(asha)).toMatchObject({ limit: 0.1 })
    const ravi = await server.signUp()
    await ravi.trpc.images.generate.mutate({ prompt: 'A kite', count: 2 })
    expect(await budgetOf(asha)).toMatchObject({ limit: 0.16, reserved: 0.08 })
  })

  test.each([
    ['that always says, by what images did cost', '0.05', true],
    ['that said so once, when it is spent', '0.03', false],
  ])('stops an engine without a price %s', async (_, limit, reportsCost) => {
    const options = { reportsCost, now: () => Date.UTC(2026, 10, 30) }
    const { server, asha, waitForJob } = await startSite({ MONTHLY_BUDGET_PER_USER: limit }, options)
    const first = follow(asha.trpc, { prompt: 'First' })
    await (await waitForJob('First')).finish(undefined, { cost: 0.03 })
    await first.ended
    expect(await budgetOf(asha)).toMatchObject(money(Number(limit), 0.03, 0))
    const second = trpcTransport.generate(server, { prompt: 'Second' }, asha)
    expect(await second).toMatchObject({ status: 429, retryAfter: 86_400 })
  })

  test('does not concern engines without price and cost, and is kept for the site when an account is deleted', async () => {
    const { engine, waitForJob } = createScriptedEngine({ id: 'free' })
    // The model that it uses is known from its list only.
    const check = () => Promise.resolve({ models: ['scripted', 'other'] })
    const prices = { scripted: 0.04, default: 9 }
    const priced = createScriptedEngine({ id: 'priced', model: '', check, prices })
    const server = await startTestServer({
      engines: [engine, priced.engine],
      env: { MONTHLY_BUDGET: '0.04' },
    })
    const [, listed] = (await server.client({}).engines.list.query()).engines
    expect(listed?.modelDetails).toMatchObject({ scripted: { price: 0.04 }, other: { price: 9 } })
    const [asha, ravi] = [await server.signUp(), await server.signUp()]
    const image = follow(asha.trpc, { prompt: 'Priced', engine: 'priced' })
    await (await priced.waitForJob('Priced')).finish()
    await image.ended
    const password = 'correct horse'
    expect((await server.postAccount('/delete-user', { password }, { cookie: asha.cookie })).status).toBe(200)
    expect(await budgetOf(ravi)).toMatchObject(money(0.04, 0.04, 0))
    expect(await rowsOf(server)).toMatchObject([{ user_id: '' }])
    const another = ravi.trpc.images.generate.mutate({ prompt: 'Another', engine: 'priced' })
    await expect(another).rejects.toMatchObject(exceeded)
    const free = follow(ravi.trpc, { prompt: 'Free' })
    await (await waitForJob('Free')).finish()
    expect(await free.ended).toMatchObject({ cost: null })
  })
})

test('without prices and budgets there is none, and engines have no prices', async () => {
  const server = await startTestServer({ engine: createScriptedEngine().engine })
  const asha = await server.signUp()
  expect(await budgetOf(asha)).toBeNull()
  const [engine] = (await asha.trpc.engines.list.query()).engines
  expect(engine).not.toHaveProperty('modelDetails')
})
