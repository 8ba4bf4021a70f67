import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { isFinished } from '../../shared/images.ts'
import { nameLimit, promptLimit, type TextLimit } from '../../shared/limits.ts'
import { reportReasons, reportCommentLimit } from '../../shared/moderation.ts'
import { exceededLimit } from '../../shared/text-length.ts'
import { originalFile, thumbnailFile, thumbnailSizes } from '../../shared/image-files.ts'
import type { Services } from '../../server/trpc/context.ts'
import { searchText } from '../../server/text/search-text.ts'
import { cleanText } from '../../server/text/clean-text.ts'

/** Checks everything that is stored; returns the issues found. */
export async function findStoredJunk({ db, blobs, config: { storage } }: Services): Promise<string[]> {
  const images = await db.selectFrom('images').selectAll().execute()
  const posts = await db.selectFrom('posts').selectAll().execute()
  const reports = await db.selectFrom('reports').selectAll().execute()
  const accounts = await sql<{ id: string; name: string }>`SELECT id, name FROM "user"`.execute(db)
  const apiKeys = await db.selectFrom('api_keys').selectAll().execute()
  const usage = await db.selectFrom('daily_usage').selectAll().execute()
  const imagesById = new Map(images.map((image) => [image.id, image]))
  const users = new Set([...accounts.rows.map(({ id }) => id), 'api-token'])
  const junk: string[] = []
  const check = (isRight: boolean, what: string) => {
    if (!isRight) junk.push(what)
  }

  for (const post of posts) {
    const image = imagesById.get(post.image_id)
    check(isId(post.id), `The post ${post.id} has no proper id.`)
    check(isText(post.name, nameLimit), `The post ${post.id} has the name ${JSON.stringify(post.name)}.`)
    check(
      isText(post.prompt, promptLimit),
      `The post ${post.id} has the prompt ${JSON.stringify(post.prompt)}.`,
    )
    check(
      post.search_text === searchText(post.name, post.hide_prompt ? '' : post.prompt),
      `The post ${post.id} is not found by its words.`,
    )
    check(image?.state === 'succeeded', `The post ${post.id} has no image.`)
    check(image?.owner_id === post.author_id, `The post ${post.id} shows an image of another user.`)
    check(
      (post.hidden_at === null) === (image?.hidden_at === null),
      `The post ${post.id} is shown where its image is hidden, or hidden where it is not.`,
    )
  }
  for (const image of images) {
    check(isId(image.id), `The image ${image.id} has no proper id.`)
    check(
      isText(image.prompt, promptLimit),
      `The image ${image.id} has the prompt ${JSON.stringify(image.prompt)}.`,
    )
    check(isFinished(image.state), `The image ${image.id} was never finished.`)
    check(
      /^[\x21-\x7e]{1,200}$/.test(image.request_key ?? 'none'),
      `The image ${image.id} has a bad request key.`,
    )
    // Of a deleted account only its posts remain.
    check(
      users.has(image.owner_id) ||
        (image.prompt === '' && posts.some(({ image_id }) => image_id === image.id)),
      `The image ${image.id} belongs to no account.`,
    )
    check(
      (image.state === 'succeeded') === (image.folder !== null),
      `The image ${image.id} is ${image.state}.`,
    )
    if (image.folder === null) continue
    for (const file of [originalFile, ...thumbnailSizes.map(thumbnailFile)]) {
      check((await blobs.read(image.folder, file)) !== null, `The image ${image.id} has no ${file}.`)
    }
  }
  for (const { seq, post_id, reason, comment } of reports) {
    check(
      posts.some(({ id }) => id === post_id),
      `The report ${seq} is of no post.`,
    )
    check(reportReasons.includes(reason), `The report ${seq} has the reason ${reason}.`)
    check(
      comment === '' || isText(comment, reportCommentLimit),
      `The report ${seq} has the comment ${JSON.stringify(comment)}.`,
    )
  }
  for (const { id, name } of accounts.rows) {
    check(isText(name, nameLimit), `The account ${id} has the name ${JSON.stringify(name)}.`)
  }
  for (const { id, user_id, name, hash } of apiKeys) {
    check(isText(name, nameLimit), `The token ${id} has the name ${JSON.stringify(name)}.`)
    check(/^[0-9a-f]{64}$/.test(hash), `The token ${id} is kept as ${hash}.`)
    check(users.has(user_id), `The API key ${id} belongs to no account.`)
    check(user_id !== 'api-token', `The API key ${id} has no user.`)
  }
  for (const { user_id, kind, used } of usage) {
    check(users.has(user_id), `The usage of ${user_id} belongs to no account.`)
    check(used >= 0 && Number.isInteger(used), `${user_id} used ${kind} ${used} times.`)
  }
  const folders = new Set(images.map(({ folder }) => folder))
  for (const folder of storage.kind === 'disk' ? await readdir(storage.directory) : []) {
    check(folders.has(folder) || folder.startsWith('.'), `The folder ${folder} belongs to no image.`)
  }
  return junk
}

function isId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id)
}

function isText(text: string, limit: TextLimit): boolean {
  return text !== '' && cleanText(text) === text && exceededLimit(text, limit) === null
}
