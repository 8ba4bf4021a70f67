import { expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { createFailingEngine } from '../../test/support/engine.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { createRangoliClient, isRangoliError, watchImages, type Image } from './rangoli-client.ts'

const token = 'a-token-of-enough-letters'

test('accepts a token as a string, or a function that is called for each request', async () => {
  const server = await startTestServer({ env: { API_TOKEN: token } })
  const fixed = createRangoliClient({ url: server.url, token })
  expect(await fixed.images.quota.query()).toMatchObject({ used: 0 })

  const tokens = ['a-bad-token-of-many-letters', token]
  const changing = createRangoliClient({ url: `${server.url}/anything`, token: () => tokens.shift() ?? null })
  const failure = await changing.images.quota.query().catch((error: unknown) => error)
  expect(isRangoliError(failure) && failure.data).toMatchObject({ httpStatus: 401, reason: 'not_signed_in' })
  expect(await changing.images.quota.query()).toMatchObject({ used: 0 })
})

test('splits many simultaneous calls into several requests, which all succeed', async () => {
  const server = await startTestServer()
  const addresses: string[] = []
  const rangoli = createRangoliClient({
    url: server.url,
    fetch: (address, init) => {
      addresses.push(new Request(address).url)
      return fetch(address, init)
    },
  })
  const searches = ['क्षि'.repeat(500), ...Array.from({ length: 20 }, () => 'लोटस'.repeat(100))]
  const pages = await Promise.all(searches.map((search) => rangoli.posts.list.query({ search })))
  expect(pages.every(({ total }) => total === 0)).toBe(true)
  expect(addresses.length).toBeGreaterThan(3)
  addresses.length = 0
  await Promise.all(Array.from({ length: 205 }, () => rangoli.viewer.query()))
  expect(addresses.map((address) => address.split(',').length)).toEqual([100, 100, 5])
})

test('sends long lists and exports in their own requests, which all succeed', async () => {
  const server = await startTestServer({ env: { API_TOKEN: token } })
  const rangoli = createRangoliClient({ url: server.url, token })
  const pages = await Promise.all(
    Array.from({ length: 12 }, () => rangoli.posts.list.query({ limit: 1_000 })),
  )
  expect(pages.every(({ total }) => total === 0)).toBe(true)
  const exports = await Promise.all(Array.from({ length: 4 }, () => rangoli.account.export.query()))
  expect(exports).toHaveLength(4)
})

test('watchImages reports the reason of a failed generation, and throws a typed error if rejected', async () => {
  const engine = createFailingEngine(new AppError('engine_failed', 'The engine failed.'))
  const server = await startTestServer({ engine, env: { API_TOKEN: token } })
  const rangoli = createRangoliClient({ url: server.url, token })
  const { images } = await rangoli.images.generate.mutate({ prompt: 'A lotus' })
  const states: Image[] = []
  for await (const event of watchImages(
    rangoli,
    images.map(({ id }) => id),
  )) {
    if (event.type === 'state') states.push(event.image)
  }
  expect(states.at(-1)).toMatchObject({ state: 'failed', failure: 'engine_failed' })

  const read = async () => {
    for await (const _ of watchImages(rangoli, ['no-such-image']));
  }
  const failure = await read().catch((error: unknown) => error)
  expect(isRangoliError(failure) && failure.data).toMatchObject({ httpStatus: 404, reason: 'not_found' })
})
