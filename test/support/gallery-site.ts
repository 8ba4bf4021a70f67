import { rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder, tempFolder } from './folder.ts'
import { startTestServer, userOf, type TestServer, type TestUser } from './test-server.ts'

/** A stopped site with two shared images of one user. */
interface GallerySite {
  readonly folder: string
  readonly user: Pick<TestUser, 'id' | 'cookie'>
  /** Paths of the images, the older one first. */
  readonly photos: readonly string[]
}

/** A server with two shared images of a user, “A lotus” and “A kite”. */
interface Gallery {
  readonly server: TestServer
  readonly asha: TestUser
  /** Folders of the images in this order. */
  readonly folders: readonly string[]
}

/** Copied for each test, which takes a quarter of the time of creating it. */
let template: GallerySite | null = null

/** Starts a server on a copy of a site, whose copies have the same id. SQLite only. */
export async function startGallery(): Promise<Gallery> {
  template ??= await createTemplate()
  const folder = await tempFolder()
  await cp(template.folder, folder, { recursive: true, preserveTimestamps: true })
  const server = await startTestServer({ folder })
  const { id, cookie } = template.user
  return { server, asha: userOf(server, id, cookie), folders: foldersOf(server, template.photos) }
}

/** Starts a server on a site with an id of its own. */
export async function startOwnGallery(): Promise<Gallery> {
  const server = await startTestServer()
  const { asha, photos } = await fillSite(server)
  return { server, asha, folders: foldersOf(server, photos) }
}

async function createTemplate(): Promise<GallerySite> {
  const folder = await makeFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const server = await startTestServer({ folder })
  const { asha, photos } = await fillSite(server)
  await server.stop()
  return { folder, user: { id: asha.id, cookie: asha.cookie }, photos }
}

async function fillSite(server: TestServer) {
  const asha = await server.signUp()
  const photos: string[] = []
  for (const prompt of ['A lotus', 'A kite']) {
    const image = await asha.generate(prompt)
    await asha.trpc.posts.create.mutate({ name: 'Asha', prompt, imageId: image.id })
    photos.push(image.photo)
  }
  return { asha, photos }
}

function foldersOf({ directory }: TestServer, photos: readonly string[]): string[] {
  return photos.map((photo) => path.join(directory, path.dirname(photo)))
}
