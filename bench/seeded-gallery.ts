import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { seed } from './built-server.ts'

const kept = path.resolve(import.meta.dirname, '../node_modules/.cache/rangoli-bench')

/** A folder with a gallery of that size, kept for later runs, as seeding a million posts takes minutes. */
export function seededGallery(
  posts: number,
  print: (line: string) => void,
): { folder: string; file: string } {
  const folder = path.join(kept, `posts-${posts}`)
  const file = path.join(folder, 'data/rangoli.db')
  if (postsIn(file) !== posts) {
    print(`bench: seeding ${posts.toLocaleString('en')} posts, kept for later runs`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const start = performance.now()
    seed(folder, posts)
    print(`bench: seeded in ${((performance.now() - start) / 1_000).toFixed(0)} s`)
  }
  return { folder, file }
}

function postsIn(file: string): number {
  if (!existsSync(file)) return 0
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    return db.prepare<[], number>('SELECT count(*) FROM posts').pluck().get() ?? 0
  } finally {
    db.close()
  }
}
