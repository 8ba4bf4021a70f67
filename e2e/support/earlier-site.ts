import { chmod, cp, mkdir } from 'node:fs/promises'
import path from 'node:path'

/** Data of a site of commit 4cc01976, described by its README. */
export const earlierSite = path.resolve(import.meta.dirname, '../../test/fixtures/earlier-site')

/** Copies that site to the default paths of a server started in `folder`. */
export async function copyEarlierSite(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'data'))
  for (const file of ['rangoli.db', 'auth-secret']) {
    await cp(path.join(earlierSite, file), path.join(folder, 'data', file))
  }
  await chmod(path.join(folder, 'data/auth-secret'), 0o600)
  await cp(path.join(earlierSite, 'images'), path.join(folder, 'uploads'), { recursive: true })
}
