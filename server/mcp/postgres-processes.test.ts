import { expect, test } from 'vitest'
import { tempFolder } from '../../test/support/folder.ts'
import { createScriptedEngine, eventually } from '../../test/support/generations.ts'
import { connectMcp, imagesOf, jsonOf, protocols } from '../../test/support/mcp.ts'
import { startTestServer } from '../../test/support/test-server.ts'

/** Starts a process that generates and one that does not, of one site, with a user's API key. */
async function startProcesses() {
  const folder = await tempFolder()
  const { engine, waitForJob } = createScriptedEngine()
  const worker = await startTestServer({ folder, engine })
  const web = await startTestServer({ folder, engine: createScriptedEngine().engine, env: { ROLE: 'web' } })
  const asha = await worker.signUp()
  const { key } = await asha.trpc.account.apiKeys.create.mutate({ name: 'MCP' })
  return { worker, web, asha, key, waitForJob }
}

test.each(protocols)('$name is served by several processes, of which one generates', async ({ mode }) => {
  const { worker, web, key, waitForJob } = await startProcesses()

  // Each request goes to the next process, as behind a load balancer.
  let requests = 0
  const fetchFromNext = (url: string | URL, init?: RequestInit) => {
    requests += 1
    const { pathname } = new URL(url)
    return fetch(new URL(pathname, requests % 2 === 0 ? worker.url : web.url), init)
  }
  const client = await connectMcp(web.url, { key, mode, fetch: fetchFromNext })
  for (let round = 0; round < 2; round += 1) {
    const messages: (string | undefined)[] = []
    const prompt = `A lotus, round ${round}`
    const result = client.callTool(
      { name: 'generate_image', arguments: { prompt } },
      { onprogress: ({ message }) => messages.push(message) },
    )
    await (await waitForJob(prompt)).finish()
    expect(imagesOf(await result)).toHaveLength(1)
    expect(messages.at(-1)).toBe('Finished')
    expect(jsonOf(await client.callTool({ name: 'my_images', arguments: { limit: 1 } }))).toMatchObject({
      images: [{ prompt, state: 'succeeded' }],
    })
  }
  await eventually(() => requests).toBeGreaterThan(4)
})
