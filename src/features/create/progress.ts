import type { GenerationEvent } from '../../../shared/images.ts'

/** Where an image in the making stands, as far as this page knows. */
export interface Progress {
  /** Null until the server has accepted it. */
  readonly imageId: string | null
  readonly prompt: string
  readonly phase: 'sending' | 'queued' | 'making'
  /** When the phase began, in milliseconds by this browser's clock. */
  readonly since: number
  /** How many other images the server makes first. */
  readonly ahead: number
  /** Seconds that an image usually takes; null where nobody knows yet. */
  readonly usualSeconds: number | null
  /** The image as far as it can be seen, a data URL. */
  readonly partial: string | null
  readonly isStopping: boolean
  /** The connection is gone, and is being restored; the server goes on. */
  readonly isBroken: boolean
  readonly isCancelling: boolean
  /** How far this browser's clock is ahead of the server's, in milliseconds; null where it can't be told. */
  readonly clockLead: number | null
}

/** What changes where an image stands: the server's events, and what becomes of the connection. */
export type ProgressNews =
  | Exclude<GenerationEvent, { type: 'ready' }>
  | { readonly type: 'broken' }
  | { readonly type: 'cancelling'; readonly isCancelling: boolean }

/** Where an image stands that was just asked for (`imageId` null), or that this page just joins. */
export function startProgress(prompt: string, imageId: string | null, now: number): Progress {
  return {
    imageId,
    prompt,
    phase: 'sending',
    since: now,
    ahead: 0,
    usualSeconds: null,
    partial: null,
    isStopping: false,
    isBroken: false,
    isCancelling: false,
    // What is joined was asked for some time ago: its clock is taken to be right.
    clockLead: imageId === null ? null : 0,
  }
}

/** Where an image stands after one more piece of news. */
export function advance(progress: Progress, news: ProgressNews, now: number): Progress {
  const here = (serverTime: string) => Math.min(now, Date.parse(serverTime) + (progress.clockLead ?? 0))
  switch (news.type) {
    case 'accepted': {
      const { imageId, prompt, usualSeconds, createdAt } = news
      const clockLead = progress.clockLead ?? now - Date.parse(createdAt)
      // Who pressed has waited since then; what is joined was asked for before.
      const isJoined = progress.imageId !== null && progress.phase === 'sending'
      const since = isJoined ? here(createdAt) : progress.since
      return { ...progress, imageId, prompt, usualSeconds, clockLead, since, isBroken: false }
    }
    case 'queued':
      return { ...progress, phase: 'queued', ahead: news.position }
    case 'started':
      return { ...progress, phase: 'making', ahead: 0, since: here(news.startedAt) }
    case 'partial':
      return { ...progress, partial: news.photo }
    case 'stopping':
      return { ...progress, isStopping: true }
    case 'broken':
      return { ...progress, isBroken: true }
    case 'cancelling':
      return { ...progress, isCancelling: news.isCancelling }
  }
}

/** What those who can't see it are told of a step: only the turns, not each image in between. */
export function turnSentence(before: Progress, after: Progress): string | null {
  if (after.phase === 'queued' && (before.phase !== 'queued' || before.ahead !== after.ahead)) {
    return after.ahead === 0 ? 'Your image is next.' : `${aheadSentence(after.ahead)}.`
  }
  if (after.phase === 'making' && before.phase !== 'making') return 'Your image is being made.'
  if (after.isBroken && !before.isBroken) return 'The connection was lost and is being restored.'
  if (after.isStopping && !before.isStopping) return 'The server is restarting.'
  return null
}

/** `2 images before yours`. */
export function aheadSentence(ahead: number): string {
  if (ahead === 0) return 'Yours is next'
  return ahead === 1 ? 'One image before yours' : `${ahead} images before yours`
}
