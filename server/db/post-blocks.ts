/** Posts come in blocks by their `seq`; SQLite, which stops the process while it works, looks at one in milliseconds. */
export const blockBits = 13

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
