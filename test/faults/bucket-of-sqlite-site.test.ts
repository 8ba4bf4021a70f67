import path from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../server/config/config.ts'
import { openLog } from '../../server/observability/log.ts'
import { createServices } from '../../server/services.ts'
import { runCommand } from '../support/command.ts'
import { tempFolder } from '../support/folder.ts'
import { describeWithS3 } from '../support/s3.ts'
import { startTestServer } from '../support/test-server.ts'

describeWithS3('a site with images in a bucket and a SQLite database', (storage) => {
  test('rejects the bucket of another site, and an empty bucket for a database with images', async () => {
    const log = openLog('error', { write() {} })
    const env = storage().env()
    await startTestServer({ env })
    const another = createServices(parseConfig(env, await tempFolder()), log)
    await expect(another).rejects.toThrow(
      /^S3_BUCKET and DATABASE_URL: the database \S+ does not exist, but the bucket rangoli-test belongs to one\. /,
    )
    const onDisk = await startTestServer()
    const existing = createServices(parseConfig(env, onDisk.directory), log)
    await expect(existing).rejects.toThrow(
      /^S3_BUCKET and DATABASE_URL: the bucket rangoli-test belongs to another database than \S+rangoli\.db\. /,
    )
    await (await onDisk.signUp()).generate('A lotus')
    const empty = createServices(parseConfig(storage().env(), onDisk.directory), log)
    await expect(empty).rejects.toThrow(
      /^S3_BUCKET and DATABASE_URL: the bucket rangoli-test has 0 of the 1 newest images of the database \S+\. /,
    )
  })

  test('backs up and restores the database, and leaves the images in the bucket', async () => {
    const env = storage().env()
    const server = await startTestServer({ env })
    const asha = await server.signUp()
    const { photo } = await asha.generate('A lotus')
    const backups = path.join(await tempFolder(), 'backups')
    const backup = await runCommand(server.directory, ['backup', backups], { env })
    expect(backup).toMatchObject({ error: null, exitCode: 0 })
    expect(backup.printed.at(-1)).toBe(
      'Images are not copied from the bucket rangoli-test: turn on its versioning.',
    )
    const folder = await tempFolder()
    expect(await runCommand(folder, ['restore', backups], { env })).toMatchObject({ error: null })
    const restored = await startTestServer({ env, folder })
    expect((await restored.request(photo, { headers: restored.headersOf(asha) })).status).toBe(200)
    expect((await runCommand(folder, ['verify'], { env })).printed.at(-1)).toBe('No issues found.')
  })

  test('rejects a backup with images for a bucket', async () => {
    const onDisk = await startTestServer()
    await (await onDisk.signUp()).generate('A lotus')
    const backups = path.join(await tempFolder(), 'backups')
    await runCommand(onDisk.directory, ['backup', backups])
    const { error } = await runCommand(await tempFolder(), ['restore', backups], { env: storage().env() })
    expect(error).toMatch(/^S3_BUCKET: the backup \S+ contains images, which restore does not copy/)
  })
})
