import { expect, test } from 'vitest'
import { isLongRun } from '../fuzz/seed.ts'
import { clerkEnv, signInAtClerk, signMessage, webhookSecret } from '../support/clerk.ts'
import { transports, type Transport } from '../support/transports.ts'
import { eventually } from '../support/generations.ts'
import { unlimitedWrites } from '../support/limits.ts'
import { startTestServer } from '../support/test-server.ts'
import { cutShort, dataUrl, noisyImage } from '../support/images.ts'
import { uploadsIn } from '../support/site.ts'

const rounds = isLongRun ? 100 : 2

test(
  `leaves nothing of ${rounds} accounts that are deleted while they generate, share and upload`,
  { timeout: rounds * 20_000 },
  async () => {
    const server = await startTestServer({
      env: clerkEnv({ CLERK_WEBHOOK_SIGNING_SECRET: webhookSecret }),
      // All accounts write from one address.
      writeLimits: unlimitedWrites(),
    })
    const { db } = server.services
    const truncated = dataUrl(await cutShort(noisyImage(800, 600).png()))

    async function deleteAccount(id: string): Promise<void> {
      const body = JSON.stringify({ object: 'event', type: 'user.deleted', data: { id, object: 'user' } })
      const message = { method: 'POST', headers: signMessage(body), body }
      expect((await server.request('/api/auth/webhook', message)).status).toBe(204)
    }

    for (let round = 0; round < rounds; round += 1) {
      const asha = signInAtClerk(server)
      const { id: imageId } = await asha.generate('A lotus')
      const upload = async (transport: Transport, prompt: string) => {
        const photo = dataUrl(await noisyImage(400, 300).jpeg().toBuffer())
        return transport.share(server, { prompt, photo }, asha)
      }
      let answered = 0
      const count = <Answer>(answer: Promise<Answer>) => answer.finally(() => (answered += 1))
      const requests = transports.flatMap((transport) => [
        count(transport.generate(server, { prompt: `A kite through ${transport.name}` }, asha)),
        count(transport.share(server, { prompt: 'A lotus', imageId }, asha)),
        count(upload(transport, 'A river')),
        count(transport.share(server, { prompt: 'A broken river', photo: truncated }, asha)),
        count(upload(transport, 'A sea')),
        count(server.postJson('/trpc/account.apiKeys.create', { name: 'A robot' }, asha)),
      ])
      // Deletes the account after another number of responses in each round.
      await eventually(() => answered).toBeGreaterThanOrEqual(round % requests.length)
      await deleteAccount(asha.id)
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      for (const table of ['images', 'posts', 'daily_usage', 'api_keys'] as const) {
        const rows = await db.selectFrom(table).selectAll().execute()
        expect(rows, `${table}, round ${round}: ${statuses.join(' ')}`).toEqual([])
      }
    }
    // A generation stores its files before its row and removes them when the row cannot be written.
    await eventually(() => uploadsIn(server.directory)).toEqual([])
    expect(server.lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([])
  },
)
