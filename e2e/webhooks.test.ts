import type { Page } from 'playwright-core'
import { Webhook as Verifier } from 'standardwebhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { allowLoopback, startWebhookReceiver } from '../test/support/webhook-receiver.ts'
import { expectNoViolations } from './support/axe.ts'
import { eventually } from './support/expectations.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'
import { signUp, type User } from './support/user.ts'

const site = useSite(allowLoopback)

/** Elements of the section about webhooks. */
function webhooksOn(page: Page) {
  const section = page.getByRole('main').getByRole('region', { name: 'Webhooks', exact: true })
  const button = (name: string) => section.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  return {
    section,
    button,
    list: section.getByRole('list', { name: 'Webhooks', exact: true }),
    secret: section.getByRole('textbox', { name: 'Secret of the webhook', exact: true }),
    deliveries: section.getByRole('list', { name: 'Deliveries', exact: true }).getByRole('listitem'),
    dialog,
    url: dialog.getByRole('textbox', { name: 'URL', exact: true }),
    event: (name: string) => dialog.getByRole('checkbox', { name, exact: true }),
    submit: dialog.getByRole('button', { name: 'Create webhook', exact: true }),
    question: page.getByRole('alertdialog'),
    /** Chooses an action of the menu of the first webhook. */
    async choose(action: string) {
      await button('More actions').first().click()
      await section.getByRole('menuitem', { name: action, exact: true }).click()
    },
    async confirm(name: string) {
      await page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()
    },
  }
}

/** Creates a webhook with the form, and returns its secret. */
async function createWebhook(page: Page, url: string): Promise<string> {
  const webhooks = webhooksOn(page)
  await webhooks.button('New webhook').click()
  await webhooks.url.fill(url)
  await webhooks.submit.click()
  await webhooks.secret.waitFor()
  await eventually(() => webhooks.dialog.count()).toBe(0)
  return webhooks.secret.inputValue()
}

describe('webhooks of a user', () => {
  test('a webhook is created, tested with a signed request, and shows its delivery', async () => {
    const receiver = await startWebhookReceiver()
    const { page } = await site.visit('/account', { as: await signUp(site.url) })
    const webhooks = webhooksOn(page)
    await webhooks.section.getByText('There are no webhooks.', { exact: true }).waitFor()
    const secret = await createWebhook(page, receiver.url)
    await eventually(() => webhooks.secret.evaluate((it) => it === document.activeElement)).toBe(true)
    await webhooks.list.getByText(receiver.url, { exact: true }).waitFor()

    await webhooks.button('Send a test').click()
    await webhooks.deliveries.getByText('Delivered · Status 204', { exact: true }).waitFor()
    const [request] = receiver.requests
    expect(new Verifier(secret).verify(request?.body ?? '', request?.headers as never)).toMatchObject({
      type: 'webhook.test',
    })
    await webhooks.deliveries.getByText('Content', { exact: true }).click()
    await webhooks.deliveries.getByText('"type": "webhook.test"').waitFor()
    await webhooks.deliveries.getByText(`webhook-id: ${String(request?.headers['webhook-id'])}`).waitFor()
    await webhooks.section.getByRole('definition').getByText('· Status 204').first().waitFor()

    await page.reload()
    await webhooks.list.getByText('Enabled', { exact: true }).waitFor()
    expect(await webhooks.secret.count()).toBe(0)
    expect(await page.content()).not.toContain(secret)
  })

  test('a delivery that failed says why, and is sent again', async () => {
    const asha = await signUp(site.url)
    const receiver = await startWebhookReceiver((response) => response.writeHead(500).end())
    const { id } = await asha.trpc.account.webhooks.create.mutate({
      url: receiver.url,
      events: ['image.succeeded'],
    })
    await asha.trpc.account.webhooks.sendTest.mutate({ id })
    const { page } = await site.visit('/account', { as: asha })
    const webhooks = webhooksOn(page)
    await webhooks.button('Deliveries').click()
    await webhooks.deliveries.getByText('Failed · Status 500', { exact: true }).waitFor()
    receiver.respondWith((response) => response.writeHead(200).end())
    await webhooks.button('Send again').click()
    await webhooks.deliveries.getByText('Delivered · Status 200', { exact: true }).waitFor()
    await eventually(() => focused(page)).toBe('Send again')
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await webhooks.button('Hide deliveries').click()
    expect(await webhooks.deliveries.count()).toBe(0)
  })

  test('earlier deliveries are loaded on demand', async () => {
    const asha = await signUp(site.url)
    const receiver = await startWebhookReceiver()
    const { id } = await asha.trpc.account.webhooks.create.mutate({
      url: receiver.url,
      events: ['image.succeeded'],
    })
    for (let count = 0; count < 12; count += 1) await asha.trpc.account.webhooks.sendTest.mutate({ id })
    await eventually(() => receiver.requests.length).toBe(12)
    const { page } = await site.visit('/account', { as: asha })
    const webhooks = webhooksOn(page)
    await webhooks.button('Deliveries').click()
    await eventually(() => webhooks.deliveries.count()).toBe(10)
    await webhooks.button('Show earlier deliveries').click()
    await eventually(() => webhooks.deliveries.count()).toBe(12)
    expect(await webhooks.button('Show earlier deliveries').count()).toBe(0)
  })

  test('a new secret is shown once, and signs together with the former one', async () => {
    const asha = await signUp(site.url)
    const receiver = await startWebhookReceiver()
    const { secret: former } = await asha.trpc.account.webhooks.create.mutate({
      url: receiver.url,
      events: ['image.succeeded'],
    })
    const { page } = await site.visit('/account', { as: asha })
    const webhooks = webhooksOn(page)
    await webhooks.choose('New secret')
    await webhooks.confirm('Replace it')
    await webhooks.secret.waitFor()
    await eventually(() => webhooks.secret.evaluate((it) => it === document.activeElement)).toBe(true)
    const secret = await webhooks.secret.inputValue()
    expect(secret).not.toBe(former)
    await webhooks.list.getByText('Former secret valid until', { exact: true }).waitFor()
    await webhooks.button('Send a test').click()
    await eventually(() => receiver.requests.length).toBe(1)
    const [request] = receiver.requests
    for (const one of [secret, former]) {
      new Verifier(one).verify(request?.body ?? '', request?.headers as never)
    }
  })

  test('a webhook is edited, disabled, enabled and deleted', async () => {
    const asha = await signUp(site.url)
    const receiver = await startWebhookReceiver()
    await asha.trpc.account.webhooks.create.mutate({ url: receiver.url, events: ['image.succeeded'] })
    const { page } = await site.visit('/account', { as: asha })
    const webhooks = webhooksOn(page)
    await webhooks.choose('Edit')
    expect(await webhooks.url.inputValue()).toBe(receiver.url)
    expect(await webhooks.event('Image failed').isChecked()).toBe(false)
    await webhooks.event('Image failed').check()
    await webhooks.url.fill(`${receiver.url}/other`)
    await webhooks.dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await webhooks.list.getByText(`${receiver.url}/other`, { exact: true }).waitFor()
    await webhooks.list.getByText('Image generated, Image failed', { exact: true }).waitFor()

    await webhooks.choose('Disable')
    await webhooks.confirm('Disable')
    await webhooks.list.getByText('Disabled', { exact: true }).waitFor()
    await asha.generate('A lotus')
    await webhooks.button('Enable').click()
    await webhooks.list.getByText('Enabled', { exact: true }).waitFor()
    await eventually(() => focused(page)).toBe('Send a test')
    expect(await asha.trpc.account.webhooks.list.query()).toMatchObject([
      { url: `${receiver.url}/other`, isEnabled: true, waiting: 0 },
    ])

    await webhooks.choose('Delete')
    await webhooks.confirm('Keep it')
    await eventually(() => webhooks.question.count()).toBe(0)
    await webhooks.choose('Delete')
    await webhooks.confirm('Delete')
    await webhooks.section.getByText('There are no webhooks.', { exact: true }).waitFor()
    await eventually(() => focused(page)).toBe('New webhook')
    expect(await asha.trpc.account.webhooks.list.query()).toEqual([])
  })

  test('a webhook whose URL is gone says that it was disabled', async () => {
    const asha = await signUp(site.url)
    const receiver = await startWebhookReceiver((response) => response.writeHead(410).end())
    await asha.trpc.account.webhooks.create.mutate({ url: receiver.url, events: ['image.succeeded'] })
    const { page } = await site.visit('/account', { as: asha })
    const webhooks = webhooksOn(page)
    await webhooks.button('Send a test').click()
    await webhooks.list.getByText('The server answered that this URL is gone (status 410).').waitFor()
    await webhooks.button('Enable').waitFor()
  })

  test('the form reports what it does not accept at its field', async () => {
    const visitor = await site.visit('/account', { as: await signUp(site.url) })
    visitor.expectedErrors.push(/status of 400/)
    const webhooks = webhooksOn(visitor.page)
    await webhooks.button('New webhook').click()
    await webhooks.url.fill('example.org')
    await webhooks.submit.click()
    await webhooks.dialog.getByText('Enter a URL that begins with https://.', { exact: true }).waitFor()
    await eventually(() => webhooks.url.evaluate((it) => it === document.activeElement)).toBe(true)
    await webhooks.url.fill('https://10.0.0.1/hook')
    await webhooks.submit.click()
    await webhooks.dialog.getByText(/^Webhooks may not connect to 10\.0\.0\.1/).waitFor()
    expect(await webhooks.url.getAttribute('aria-invalid')).toBe('true')
    for (const checkbox of await webhooks.dialog.getByRole('checkbox').all()) await checkbox.uncheck()
    await webhooks.submit.click()
    await webhooks.dialog.getByText('Choose at least one event.', { exact: true }).waitFor()
    await expectNoViolations(visitor.page)
    await visitor.page.keyboard.press('Escape')
    await eventually(() => webhooks.dialog.count()).toBe(0)
    await eventually(() => focused(visitor.page)).toBe('New webhook')
  })

  test('have no axe violations and fit a phone', async () => {
    const asha = await signUp(site.url)
    const receiver = await startWebhookReceiver((response) => response.writeHead(500).end())
    await asha.trpc.account.webhooks.create.mutate({
      url: `${receiver.url}/${'long-secret-'.repeat(30)}`,
      events: ['image.succeeded', 'post.hidden'],
    })
    await asha.generate('A lotus')
    const { page } = await site.visit('/account', { as: asha, viewport: { width: 360, height: 800 } })
    const webhooks = webhooksOn(page)
    await webhooks.button('Deliveries').click()
    await webhooks.deliveries.getByText('Waiting · Status 500', { exact: true }).waitFor()
    await webhooks.deliveries.getByText('Content', { exact: true }).click()
    await webhooks.list.getByText('Failing', { exact: true }).waitFor()
    await webhooks.choose('New secret')
    await webhooks.confirm('Replace it')
    await webhooks.secret.waitFor()
    await eventually(() => webhooks.question.count()).toBe(0)
    await expectNoViolations(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })
})

describe('webhooks of the site', () => {
  let meera: User

  beforeAll(async () => {
    meera = await signUp(site.url, 'Meera Iyer')
    const { code } = await site.run(['account', 'make-admin', meera.email])
    expect(code).toBe(0)
  })

  test('an administrator creates one, which reports the images of all users', async () => {
    const receiver = await startWebhookReceiver()
    const asha = await signUp(site.url)
    const { page } = await site.visit('/admin', { as: meera })
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'Webhooks' }).waitFor()
    const webhooks = webhooksOn(page)
    await webhooks.button('New webhook').waitFor()
    await expectNoViolations(page)
    await createWebhook(page, receiver.url)
    await asha.generate('A secret lotus')
    await eventually(receiver.types).toEqual(['image.succeeded'])
    const item = webhooks.list.getByRole('listitem').filter({ hasText: receiver.url })
    await item.getByRole('button', { name: 'Deliveries', exact: true }).click()
    await webhooks.deliveries.getByText('Delivered · Status 204', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('A secret lotus')
    expect(await meera.trpc.account.webhooks.list.query()).toEqual([])

    await page.getByRole('link', { name: 'Audit log', exact: true }).click()
    await page.getByText(/^Meera created a webhook at 127\.0\.0\.1/).waitFor()
  })
})
