import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { secretsOf } from '../test/support/secrets.ts'
import { generateApiKey } from '../server/access/api-keys.ts'
import { startServer, makeFolder } from './support/server-process.ts'

const env = {
  API_TOKEN: 'secret-of-the-api-0123456789',
  METRICS_TOKEN: 'secret-of-the-metrics-0123456789',
  AUTH_SECRET: 'secret-of-the-sessions-0123456789abcdef',
  OPENAI_API_KEY: 'sk-secret-of-the-provider-0123456789',
  // A closed port, so that generations fail and are logged with their cause.
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
}

/** Must stay secret even if it is not valid here. */
const apiKey = generateApiKey()
const secrets = [...Object.values(env), apiKey]

test('reveals no secret in a page, a response, an error or the log', async () => {
  const folder = await makeFolder()
  const server = await startServer(folder.path, { ...env, LOG_LEVEL: 'debug' })
  const bearer = { authorization: `Bearer ${env.API_TOKEN}`, 'content-type': 'application/json' }
  const post = (address: string, body: string, headers: Record<string, string> = bearer) =>
    fetch(server.url + address, { method: 'POST', headers, body })
  const responses = await Promise.all([
    fetch(`${server.url}/`),
    fetch(`${server.url}/create-post`),
    fetch(`${server.url}/nowhere`),
    fetch(`${server.url}/api/v1/post`),
    fetch(`${server.url}/readyz`),
    fetch(`${server.url}/metrics`),
    fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` } }),
    fetch(`${server.url}/trpc/viewer`, { headers: bearer }),
    fetch(`${server.url}/trpc/viewer`, { headers: { authorization: `Bearer ${env.AUTH_SECRET}` } }),
    fetch(`${server.url}/trpc/viewer`, { headers: { authorization: `Bearer ${apiKey}` } }),
    fetch(`${server.url}/api/v1/post?limit=${apiKey}`),
    post(`/api/v1/imgGenerate?token=${apiKey}`, '{"prompt":"A lamp"}', {}),
    post('/api/v1/imgGenerate', '{"prompt":"A lamp"}'),
    post('/api/v1/imgGenerate', '{"prompt":'),
    post('/api/v1/post', '{"prompt":"A lamp","photo":"data:image/png;base64,AAAA"}'),
    post('/api/auth/sign-in/email', '{}', { 'content-type': 'application/json', origin: server.url }),
  ])
  for (const response of responses) {
    const output = JSON.stringify([...response.headers]) + (await response.text())
    for (const secret of secrets) expect(output).not.toContain(secret)
  }
  // Also checks the output of the server.
  await server.stop()
  await folder.remove()
  expect(server.errors()).toContain('a generation failed')
})

test('builds a client without secrets', () => {
  const builds = path.resolve(import.meta.dirname, '../dist')
  const files = readdirSync(builds, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /client\/.*\.(js|css|json)$/.test(file),
  )
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const text = readFileSync(path.join(builds, file), 'utf8')
    for (const secret of [...secrets, ...secretsOf(process.env)]) {
      expect({ file, holds: text.includes(secret) && secret }).toEqual({ file, holds: false })
    }
  }
})
