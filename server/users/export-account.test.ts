import { expect, test } from 'vitest'
import { makeAccount } from '../../test/support/accounts.ts'
import { plainJpeg } from '../../test/support/engine.ts'
import { PasskeyBrowser, TestPasskey } from '../../test/support/passkeys.ts'
import { shareTestServer } from '../../test/support/test-server.ts'
import { dataUrl } from '../../test/support/images.ts'

const serviceToken = 'a-token-of-enough-letters'
const server = shareTestServer({
  env: { API_TOKEN: serviceToken, DAILY_IMAGE_LIMIT: '100', WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' },
})

test('exports everything of the user, newest first, and nothing of others', async () => {
  const [asha, ravi] = [
    await makeAccount(server(), { name: 'आशा राव', email: 'Everything@example.org' }),
    await makeAccount(server()),
  ]
  const first = await asha.generate('A lotus')
  const second = await asha.generate('A kite')
  const words = { name: 'Asha', prompt: 'Look' }
  const older = await asha.trpc.posts.create.mutate({ ...words, imageId: first.id })
  const newer = await asha.trpc.posts.create.mutate({ ...words, photo: dataUrl(await plainJpeg('a photo')) })
  const upload = await asha.trpc.images.upload.mutate(
    new Blob([new Uint8Array(await plainJpeg('never shared'))]),
  )
  const { id } = await ravi.generate('A drum')
  await ravi.trpc.posts.create.mutate({ ...words, imageId: id })

  const { key, ...facts } = await asha.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  await ravi.trpc.account.apiKeys.create.mutate({ name: 'Another robot' })
  const { secret, ...webhook } = await asha.trpc.account.webhooks.create.mutate({
    url: 'http://127.0.0.1:65535/',
    events: ['image.succeeded', 'post.hidden'],
  })
  await new PasskeyBrowser(server(), asha.cookie).add(new TestPasskey(), 'Laptop')
  await new PasskeyBrowser(server(), ravi.cookie).add(new TestPasskey(), 'Phone')

  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string
  const day = new Date().toISOString().slice(0, 10)
  const unchanged = { promptEditedAt: null, hiddenAt: null, withdrawnAt: null, trashedVisibility: null }
  const neverChanged = { ...unchanged, sharedPrompt: null }
  expect(await asha.trpc.account.export.query()).toEqual({
    user: {
      id: asha.id,
      name: 'आशा राव',
      email: 'everything@example.org',
      createdAt: time,
      lastSeenAt: time,
    },
    images: [
      { ...upload, withdrawnAt: null, trashedAt: null },
      expect.objectContaining({ photo: newer.photo, recipe: null }),
      { ...second, withdrawnAt: null, trashedAt: null },
      { ...first, withdrawnAt: null, trashedAt: null },
    ],
    posts: [
      { ...newer, ...neverChanged },
      { ...older, ...neverChanged },
    ],
    collections: [],
    styles: [],
    likes: [],
    settings: { defaultVisibility: 'public', mailNotices: true, mailLanguage: null },
    dailyUsage: ['image', 'post', 'upload'].map((kind) => ({ day, kind, used: 2 })),
    access: {
      role: 'member',
      isRoleFromProvider: false,
      dailyImageLimit: null,
      monthlyBudget: null,
      isBlocked: false,
    },
    administration: [],
    invitations: [],
    moderation: [],
    apiKeys: [facts],
    notifications: [],
    notificationSettings: expect.objectContaining({ like: { page: true, mail: false, push: false } }),
    pushSubscriptions: [],
    webhooks: [webhook],
    passkeys: [{ id: expect.stringMatching(/^\w+$/), name: 'Laptop', createdAt: time, lastUsedAt: null }],
    connections: [],
    sessions: [
      {
        createdAt: time,
        expiresAt: time,
        ipAddress: expect.stringMatching(/./),
        userAgent: expect.stringMatching(/./),
      },
    ],
  })
  const json = JSON.stringify(await asha.trpc.account.export.query())
  const sessionToken = asha.cookie.split('=')[1]?.split('.')[0]
  for (const value of [key.slice(4), secret.slice(6), sessionToken]) expect(json).not.toContain(value)
})

test('is limited to ten exports an hour, and says when to try again', async () => {
  const [asha, ravi] = [await makeAccount(server()), await makeAccount(server())]
  for (let exports = 0; exports < 10; exports += 1) await asha.trpc.account.export.query()
  const rejected = await server().request('/trpc/account.export', { headers: { cookie: asha.cookie } })
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(50 * 60)
  expect(await rejected.json()).toMatchObject({
    error: {
      message: 'Too many downloads of your data. Try again in 60 minutes.',
      data: { reason: 'rate_limited' },
    },
  })
  expect(await ravi.trpc.account.export.query()).toMatchObject({ posts: [] })
})

test('exports no profile for the service token', async () => {
  const data = await server()
    .client({ authorization: `Bearer ${serviceToken}` })
    .account.export.query()
  expect(data.user).toEqual({ id: 'api-token', name: null, email: null, createdAt: null, lastSeenAt: null })
})
