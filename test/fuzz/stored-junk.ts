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
  /** Notes the rules that a row of a table does not follow. */
  const check = (table: string, row: object, rules: Readonly<Record<string, boolean>>) => {
    for (const [rule, isFollowed] of Object.entries(rules))
      if (!isFollowed) junk.push(`${table}: ${rule}: ${JSON.stringify(row)}`)
  }

  for (const post of posts) {
    const image = imagesById.get(post.image_id)
    check('posts', post, {
      'has an id': isId(post.id),
      'has a clean name': isText(post.name, nameLimit),
      'has a clean prompt': isText(post.prompt, promptLimit),
      'is found by its words':
        post.search_text === searchText(post.name, post.hide_prompt ? '' : post.prompt),
      'has an image': image?.state === 'succeeded',
      'shows an image of its author': image?.owner_id === post.author_id,
      'is hidden where its image is': (post.hidden_at === null) === (image?.hidden_at === null),
    })
  }
  for (const image of images) {
    check('images', image, {
      'has an id': isId(image.id),
      'has a clean prompt': isText(image.prompt, promptLimit),
      'is finished': isFinished(image.state),
      'has a proper request key': /^[\x21-\x7e]{1,200}$/.test(image.request_key ?? 'none'),
      // Of a deleted account only its posts remain.
      'belongs to an account':
        users.has(image.owner_id) ||
        (image.prompt === '' && posts.some(({ image_id }) => image_id === image.id)),
      'has files once it has succeeded': (image.state === 'succeeded') === (image.folder !== null),
    })
    if (image.folder === null) continue
    for (const file of [originalFile, ...thumbnailSizes.map(thumbnailFile)])
      check('images', image, { [`has ${file}`]: (await blobs.read(image.folder, file)) !== null })
  }
  for (const report of reports) {
    const { post_id, reason, comment } = report
    check('reports', report, {
      'is of a post': posts.some(({ id }) => id === post_id),
      'has a known reason': reportReasons.includes(reason),
      'has a clean comment': comment === '' || isText(comment, reportCommentLimit),
    })
  }
  for (const account of accounts.rows)
    check('user', account, { 'has a clean name': isText(account.name, nameLimit) })
  for (const apiKey of apiKeys) {
    check('api_keys', apiKey, {
      'has a clean name': isText(apiKey.name, nameLimit),
      'is kept as a hash': /^[0-9a-f]{64}$/.test(apiKey.hash),
      'belongs to an account': users.has(apiKey.user_id) && apiKey.user_id !== 'api-token',
    })
  }
  for (const row of usage) {
    check('daily_usage', row, {
      'belongs to an account': users.has(row.user_id),
      'is a count': row.used >= 0 && Number.isInteger(row.used),
    })
  }
  const folders = new Set(images.map(({ folder }) => folder))
  for (const folder of storage.kind === 'disk' ? await readdir(storage.directory) : [])
    check('uploads', { folder }, { 'belongs to an image': folders.has(folder) || folder.startsWith('.') })
  return junk
}

function isId(id: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id)
}

function isText(text: string, limit: TextLimit): boolean {
  return text !== '' && cleanText(text) === text && exceededLimit(text, limit) === null
}
