import path from 'node:path'
import { expect, test } from 'vitest'
import { transports } from '../support/transports.ts'
import { plainJpeg } from '../support/engine.ts'
import { tempFolder } from '../support/folder.ts'
import { startTestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'
import { damageTable } from './database-errors.ts'

const notNow = "This site can't read or save anything right now. Try again in a moment."

test.each(transports)(
  'answers 503 for a database with a damaged page and logs the error, through $name',
  async (transport) => {
    const folder = await tempFolder()
    const sound = await startTestServer({ folder })
    const { cookie } = await sound.signUp()
    await sound.stop()
    await damageTable(path.join(folder, 'data/rangoli.db'), 'posts')

    const lines: string[] = []
    const server = await startTestServer({ folder, logTo: { write: (line) => void lines.push(line) } })
    const photo = dataUrl(await plainJpeg('a photo'))
    const answers = [
      await transport.list(server, {}),
      await transport.share(server, { prompt: 'A lotus', photo }, { cookie }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, error: notNow, retryAfter: 30 })
    const page = await server.request('/')
    expect(page.status).toBe(503)
    expect(page.headers.get('retry-after')).toBe('30')
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain(notNow.replace("'", '&#39;'))
    const arabic = await server.request('/', { headers: { 'accept-language': 'ar' } })
    expect(await arabic.text()).toContain('<html lang="ar" dir="rtl">')
    expect(lines.join('')).toContain('database disk image is malformed')
    // Requests that do not read the damaged page succeed.
    expect((await server.request('/trpc/viewer', { headers: { cookie } })).status).toBe(200)
  },
)
