import OpenAI from 'openai'
import type { TestServer, TestUser } from '../test-server.ts'

/** Creates an API key of a user. */
export async function createKey(user: TestUser): Promise<string> {
  return (await user.trpc.account.apiKeys.create.mutate({ name: 'A program' })).key
}

/** Creates the official client of the API, without retries unless a test is about them. */
export function openAiClient({ url }: Pick<TestServer, 'url'>, apiKey: string, maxRetries = 0): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries })
}

/** Signs up a user, and returns them with a key and a client. */
export async function signUpProgram(server: TestServer) {
  const user = await server.signUp()
  const key = await createKey(user)
  return { user, key, client: openAiClient(server, key) }
}
