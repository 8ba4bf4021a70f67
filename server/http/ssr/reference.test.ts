import { expect, test } from 'vitest'
import { apiKeyScopes } from '../../../shared/account.ts'
import { webhookEvents } from '../../../shared/webhooks.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: { SITE_NAME: 'Rangoli & <friends>' } })

const path = '/api/v1/docs'

test('the page of the REST API shows the address of the site in its examples', async () => {
  const html = await (await server().request(path)).text()
  expect(html).toContain('<title>REST API — Rangoli &amp; &lt;friends&gt;</title>')
  expect(html).toContain(`curl --fail ${server().url}/api/v1/imgGenerate`)
  const site = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example.org' } })
  const response = await site.request(path)
  expect(response.headers.get('cache-control')).toMatch(/^public/)
  const page = await response.text()
  expect(page).toContain('https://pictures.example.org/api/v1/imgGenerate')
  expect(page).not.toContain('localhost:3000')
})

test('escapes a Host header that is no host', async () => {
  const response = await server().request(path, { headers: { 'x-forwarded-host': '"><b>x' } })
  expect(await response.text()).not.toContain('<b>x')
})

test('names every action of API keys, every event and every tool', async () => {
  const html = await (await server().request(path)).text()
  const listed = await server().request('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const tools = [...(await listed.text()).matchAll(/"name":"(\w+)"/g)].map(([, name = '']) => name)
  expect(tools).toContain('generate_image')
  for (const name of [...apiKeyScopes, ...webhookEvents, ...tools]) expect(html).toContain(name)
})
