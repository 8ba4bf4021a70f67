import { onTestFinished } from 'vitest'
import type { ServiceOverrides } from '../../server/services.ts'
import { startFakeProvider, type Responder } from './openai/provider.ts'
import { startTestServer } from './test-server.ts'

/** The credential of the one user who calls in tests of the provider. */
export const bearer = 'a-token-of-enough-letters'

/** What must never leave the server but towards the provider. */
export const providerKey = 'sk-secret-1234567890abcdef'

/** Leaves the engine to the environment, as a real start does, in place of the test kit's own. */
export const engineOfEnvironment = { engine: undefined } as unknown as Pick<ServiceOverrides, 'engine'>

/** A whole server whose images come from a provider, with all that it logs; for one test. */
export async function startWithProvider(
  script: Responder | readonly Responder[],
  env: Record<string, string> = {},
) {
  const double = await startFakeProvider(script)
  onTestFinished(double.stop)
  const lines: string[] = []
  const server = await startTestServer({
    ...engineOfEnvironment,
    env: {
      IMAGE_ENGINE: 'openai',
      OPENAI_BASE_URL: double.url,
      OPENAI_API_KEY: providerKey,
      API_TOKEN: bearer,
      ...env,
    },
    logTo: { write: (line) => void lines.push(line) },
  })
  return { server, double, lines, client: server.client(server.headersOf({ bearer })) }
}
