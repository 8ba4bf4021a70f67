import { sql } from 'kysely'

/** Posts come in blocks by their `seq`; SQLite, which stops the process while it works, looks at one in milliseconds. */
export const blockBits = 13

/** Characters (code points) of a post's text that take one number of a block. */
const charactersPerNumber = 128

/**
 * The `seq` of a new post: it takes as many numbers as its text is long. So a block has about a million characters at
 * most, and looking at it takes no longer where texts are long.
 */
export function nextPostSeq(searchText: string) {
  return sql<number>`
    (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'posts')
      + max(1, length(${searchText}) / ${sql.lit(charactersPerNumber)})`
}

/** The block that a post belongs to. */
export function blockOf(seq: number): number {
  return Math.floor(seq / 2 ** blockBits)
}

/**
 * The trigram that stands before the texts of a block's posts in `posts_trigrams`, of a character for private use. FTS5
 * looks for the next match of a phrase however far it is; asked for both, it stops at the end of the block.
 */
export function blockMark(block: number): string {
  return String.fromCodePoint(firstMark + block).repeat(3)
}

/** The same for a column of the trigger that writes it. */
export function blockMarkSql(seq: string): string {
  return `replace('xxx', 'x', char(${firstMark} + (${seq} >> ${blockBits})))`
}

const firstMark = 0xf_00_00
