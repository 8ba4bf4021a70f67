import { expect, test, vi } from 'vitest'
import { urlAt } from '../engine-http.ts'
import { connect } from './openai-client.ts'
import { respondImage } from '../../../test/support/openai/provider-responses.ts'
import { images } from '../../../test/support/openai/images.ts'
import { setUpScenario, prompt } from '../../../test/support/openai/scenario.ts'
import { requestFor } from '../../../test/support/image-engine-contract.ts'

test('ignores the environment variables of the SDK, including its log level', async () => {
  const environment = ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID']
  for (const name of environment) vi.stubEnv(name, `value-of-${name}`)
  vi.stubEnv('OPENAI_LOG', 'debug')
  const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) => vi.spyOn(console, level))
  const { provider, engine } = await setUpScenario({ responders: [respondImage(images.jpeg)], apiKey: null })
  for await (const event of engine.generate(requestFor(prompt), new AbortController().signal)) void event
  vi.unstubAllEnvs()
  expect(JSON.stringify(provider.requests)).not.toContain('value-of')
  for (const spy of spies) expect(spy).not.toHaveBeenCalled()
})

test.each([
  [null, 'https://api.openai.com/v1/models', true],
  ['https://api.openai.com/v1/', 'https://api.openai.com/v1/models', true],
  ['http://localhost:8080', 'http://localhost:8080/models', false],
  [
    'https://me.openai.azure.com/openai/v1?api-version=preview',
    'https://me.openai.azure.com/openai/v1/models?api-version=preview',
    false,
  ],
])('requests OPENAI_BASE_URL %s at %s', (given, url, isOpenAi) => {
  const connection = connect(given, null)
  expect(urlAt(connection.base, '/models').href).toBe(url)
  expect(connection.isOpenAi).toBe(isOpenAi)
})
