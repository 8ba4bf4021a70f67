import { chmod, cp, mkdir } from 'node:fs/promises'
import path from 'node:path'

/** Data of a site of version 0.1, described by its README. */
export const oldSite = path.resolve(import.meta.dirname, '../../test/fixtures/site-0.1')

/** Copies that site to the default paths of a server started in `folder`. */
export async function copyOldSite(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'data'))
  for (const file of ['rangoli.db', 'auth-secret']) {
    await cp(path.join(oldSite, file), path.join(folder, 'data', file))
  }
  await chmod(path.join(folder, 'data/auth-secret'), 0o600)
  await cp(path.join(oldSite, 'images'), path.join(folder, 'uploads'), { recursive: true })
}
