import OpenAI from 'openai'
import type { ApiKeyScope } from '../../../shared/account.ts'
import type { TestServer, TestUser } from '../test-server.ts'

/** Creates an API key of a user, with all scopes unless some are named. */
export async function createKey(user: TestUser, scopes?: readonly ApiKeyScope[]): Promise<string> {
  const input = { name: 'A program', ...(scopes && { scopes: [...scopes] }) }
  return (await user.trpc.account.apiKeys.create.mutate(input)).key
}

/** Creates the official client of the API, without retries unless a test is about them. */
export function openAiClient({ url }: Pick<TestServer, 'url'>, apiKey: string, maxRetries = 0): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries })
}

/** Signs up a user, and returns them with a key and a client. */
export async function signUpProgram(server: TestServer, scopes?: readonly ApiKeyScope[]) {
  const user = await server.signUp()
  const key = await createKey(user, scopes)
  return { user, key, client: openAiClient(server, key) }
}
