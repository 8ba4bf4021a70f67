import { onTestFinished } from 'vitest'
import type { ServiceOverrides } from '../../server/services.ts'
import { startFakeProvider, type Responder } from './openai/provider.ts'
import { startTestServer } from './test-server.ts'

/** Service token of the test server. */
export const bearer = 'a-token-of-enough-letters'

/** Provider's API key, which the server must send to the provider only. */
export const providerKey = 'sk-secret-1234567890abcdef'

/** Override that lets the environment choose the engine instead of the test server's default. */
export const engineOfEnvironment = { engine: undefined } as unknown as Pick<ServiceOverrides, 'engine'>

/** Starts a server with a fake provider and a recorded log, for the duration of a test. */
export async function startWithProvider(
  responders: Responder | readonly Responder[],
  env: Record<string, string> = {},
) {
  const double = await startFakeProvider(responders)
  onTestFinished(double.stop)
  const server = await startTestServer({
    ...engineOfEnvironment,
    env: {
      IMAGE_ENGINE: 'openai',
      OPENAI_BASE_URL: double.url,
      OPENAI_API_KEY: providerKey,
      API_TOKEN: bearer,
      ...env,
    },
  })
  return { server, double, lines: server.lines, client: server.client(server.headersOf({ bearer })) }
}
