import type { Page } from 'playwright-core'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { allowLoopback, startWebhookReceiver } from '../test/support/webhook-receiver.ts'
import { eventually } from './support/browser.ts'
import { focused } from './support/page-parts.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const site = useSite(allowLoopback)

/** Elements of the section about webhooks. */
function webhooksOn(page: Page) {
  const section = page.getByRole('main').getByRole('region', { name: 'Webhooks', exact: true })
  const button = (name: string) => section.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog', { name: /webhook$/ })
  const drawer = page.getByRole('dialog', { name: /^http/ })
  return {
    section,
    button,
    drawer,
    list: section.getByRole('table', { name: 'Webhooks', exact: true }),
    secret: section.getByRole('textbox', { name: 'Secret of the webhook', exact: true }),
    deliveries: drawer.getByRole('list', { name: 'Deliveries', exact: true }).getByRole('listitem'),
    dialog,
    url: dialog.getByRole('textbox', { name: 'URL', exact: true }),
    event: (name: string) => dialog.getByRole('checkbox', { name, exact: true }),
    submit: dialog.getByRole('button', { name: 'Create webhook', exact: true }),
    question: page.getByRole('alertdialog'),
    async open() {
      await section.getByRole('table').getByRole('button', { name: /^http/ }).click()
    },
    async choose(action: string) {
      await drawer.getByRole('button', { name: action, exact: true }).click()
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

test('a webhook is created, tested with a signed request, and shows its delivery', async () => {
  const receiver = await startWebhookReceiver()
  const { page } = await site.visit('/account', { as: await signUp(site.url) })
  const webhooks = webhooksOn(page)
  await webhooks.section.getByText('There are no webhooks.', { exact: true }).waitFor()
  const secret = await createWebhook(page, receiver.url)
  await eventually(() => webhooks.secret.evaluate((it) => it === document.activeElement)).toBe(true)
  await webhooks.open()
  await webhooks.choose('Send a test')
  await webhooks.deliveries.getByText('Delivered · Status 204', { exact: true }).waitFor()
  const [request] = receiver.requests
  expect(new Verifier(secret).verify(request?.body ?? '', request?.headers as never)).toMatchObject({
    type: 'webhook.test',
  })
  await webhooks.deliveries.getByText(`webhook-id: ${String(request?.headers['webhook-id'])}`).click()
  await webhooks.deliveries.getByText('"type": "webhook.test"').waitFor()
  await webhooks.drawer.getByRole('definition').getByText('· Status 204').first().waitFor()

  await page.reload()
  await webhooks.list.getByText('Enabled', { exact: true }).waitFor()
  expect(await webhooks.secret.count()).toBe(0)
  expect(await page.content()).not.toContain(secret)
})

test('a webhook is edited beside another tab, disabled, enabled and deleted', async () => {
  const asha = await signUp(site.url)
  const receiver = await startWebhookReceiver()
  const calls = asha.trpc.account.webhooks
  const { id } = await calls.create.mutate({ url: receiver.url, events: ['image.succeeded'] })
  const { page } = await site.visit('/account', { as: asha })
  const webhooks = webhooksOn(page)
  await webhooks.open()
  await webhooks.choose('Edit')
  expect(await webhooks.url.inputValue()).toBe(receiver.url)
  expect(await webhooks.event('Image failed').isChecked()).toBe(false)
  await calls.update.mutate({ id, events: ['image.succeeded', 'image.failed'] })
  await webhooks.url.fill(`${receiver.url}/other`)
  await webhooks.dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog', { name: `${receiver.url}/other` }).waitFor()
  await webhooks.drawer.getByText('Image generated, Image failed', { exact: true }).waitFor()

  await webhooks.choose('Disable')
  await webhooks.confirm('Disable')
  await webhooks.drawer.getByText('Disabled', { exact: true }).waitFor()
  await asha.generate('A lotus')
  await webhooks.choose('Enable')
  await webhooks.drawer.getByText('Enabled', { exact: true }).waitFor()
  await eventually(() => focused(page)).toBe('Send a test')
  expect(await calls.list.query()).toMatchObject([
    { url: `${receiver.url}/other`, isEnabled: true, waiting: 0 },
  ])

  await webhooks.choose('Delete')
  await webhooks.confirm('Keep it')
  await eventually(() => webhooks.question.count()).toBe(0)
  await webhooks.choose('Delete')
  await webhooks.confirm('Delete')
  await webhooks.section.getByText('There are no webhooks.', { exact: true }).waitFor()
  await eventually(() => focused(page)).toBe('New webhook')
  expect(await calls.list.query()).toEqual([])
})
