/** One fact about the set-up. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'problem'
  /** Whole sentences, without a secret in them. */
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
}

/** What was found out about one part of the set-up. */
export interface Section {
  readonly title: string
  readonly findings: readonly Finding[]
}

/** Something that is as it should be. */
export function ok(text: string): Finding {
  return { level: 'ok', text }
}

/** Something to know, which keeps nobody from working. */
export function note(text: string, advice?: string): Finding {
  return advice === undefined ? { level: 'note', text } : { level: 'note', text, advice }
}

/** Something that does not work or will not, with what to do about it. */
export function problem(text: string, advice: string): Finding {
  return { level: 'problem', text, advice }
}
