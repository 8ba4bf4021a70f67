import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { noteLimit, type ReportDecision } from '../../../shared/moderation.ts'
import type { Post } from '../../../shared/posts.ts'
import { completeDeletion } from '../../api/missing.ts'
import { reloadLists, removePosts } from '../../api/post-changes.ts'
import { trpc } from '../../api/trpc.ts'
import { toast } from '../../ui/announcer.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { TextArea } from '../../ui/form.tsx'
import { useCall } from '../auth/call-failure.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { useSession } from '../auth/session.ts'
import type { Entry } from './reported-entry.tsx'
import { Sentence } from '../../ui/sentence.tsx'

export type Decisions = ReturnType<typeof useDecisions>

/** A call about an entry. */
interface Decision {
  readonly call: () => Promise<unknown>
  /** Says what it did. */
  readonly outcome: string
  /** The decision that reverts it. */
  readonly inverse?: () => Decision
  /** True if there may be more to decide about the entry. */
  readonly stays?: boolean
}

/**
 * Decisions about what is reported, with the dialogs that they open. The latest one can be undone if it can be reverted.
 *
 * @param props.onDecided called once the list is up to date; `stays` is false if the next entry follows
 * @param props.focusTarget returns what gets the focus after a dialog
 */
export function useDecisions(props: {
  onDecided: (entry: Entry, stays: boolean) => void
  focusTarget: () => HTMLElement | null
}) {
  const { t, i18n } = useLingui()
  const [dialog, open] = useDialog()
  const queryClient = useQueryClient()
  const api = trpc.useUtils()
  const calls = api.client.moderation
  const isAdministrator = useSession().viewer?.role === 'administrator'
  const { run, isBusy, failure } = useCall(t`The action failed. Try again in a moment.`)
  const [undo, setUndo] = useState<(() => void) | null>(null)
  const focusAfter = () => props.focusTarget()

  /** Makes a call, then reloads what shows its entry. */
  async function make(entry: Entry, decision: Decision, isUndo = false) {
    const { inverse, outcome } = decision
    const { href } = location
    try {
      await decision.call()
    } finally {
      // What was deleted meanwhile disappears from the list.
      await api.moderation.invalidate()
      void api.collections.invalidate()
      reloadLists(queryClient)
    }
    const revert = isUndo || !inverse ? null : () => decide(entry, inverse(), true)
    setUndo(() => revert)
    // The user may have gone to another entry meanwhile.
    if (location.href === href) props.onDecided(entry, isUndo || decision.stays === true)
    toast(outcome, revert ? { label: t`Undo`, onClick: revert } : undefined)
  }

  function decide(entry: Entry, decision: Decision, isUndo = false): void {
    run(() => make(entry, decision, isUndo))
  }

  function decisionOf(entry: Entry, action: ReportDecision, note = ''): Decision {
    const { id, collection } = entry
    const of = collection
      ? { hide: calls.hideCollection, unhide: calls.unhideCollection, dismiss: calls.dismissCollection }
      : calls
    return {
      call: () => (action === 'hide' ? of.hide.mutate({ id, note }) : of[action].mutate({ id })),
      outcome: i18n._(describeOutcome(action, entry)),
      ...(action !== 'dismiss' &&
        !entry.isWithdrawn && {
          inverse: () => decisionOf(entry, action === 'hide' ? 'unhide' : 'hide'),
        }),
    }
  }

  function markingOf(id: string, isSensitive: boolean): Decision {
    return {
      call: () => calls.setSensitive.mutate({ id, isSensitive }),
      outcome: isSensitive
        ? t`The post is marked as sensitive.`
        : t`The post is no longer marked as sensitive.`,
      inverse: () => markingOf(id, !isSensitive),
      stays: true,
    }
  }

  return {
    dialog,
    isBusy,
    failure: failure?.code !== 'not_found' && failure?.message,
    undo,
    moderate: (entry: Entry, action: ReportDecision) => decide(entry, decisionOf(entry, action)),
    setSensitive: (entry: Entry, { id }: Post, isSensitive: boolean) =>
      decide(entry, markingOf(id, isSensitive)),
    hide: (entry: Entry) => {
      const { post, collection } = entry
      const title = collection
        ? msg`Hide the collection “${{ title: collection.title }}”?`
        : msg`Hide the post of ${{ name: post.name }}?`
      open(
        <FormDialog
          title={<Sentence of={title} />}
          description={
            collection
              ? t`Only its owner, moderators and administrators see it then. Its posts stay in the gallery. You can unhide it at any time.`
              : t`Only its author, moderators and administrators see the image then. You can unhide it at any time.`
          }
          submit={t`Hide`}
          failed={t`The action failed. Try again in a moment.`}
          call={(text) => make(entry, decisionOf(entry, 'hide', text('note')))}
          focusAfter={focusAfter}
        >
          <TextArea
            label={t`Note to the author (optional)`}
            hint={
              collection
                ? t`The owner reads it. Your name is not shown.`
                : t`The author reads it with the reasons of the reports, and may appeal once. Your name is not shown.`
            }
            name="note"
            maxLength={noteLimit.codeUnits}
          />
        </FormDialog>,
      )
    },
    /** Null for moderators, who hide posts only. */
    remove: isAdministrator
      ? (entry: Entry, post: Post) => {
          open(
            <ConfirmCall
              title={<Sentence of={msg`Delete the post of ${{ name: post.name }}?`} />}
              description={t`The image is deleted permanently, with every post that shows it. Its author cannot share it again.`}
              confirm={t`Delete`}
              call={async () => {
                await completeDeletion(api.client.posts.delete.mutate({ id: post.id }))
                removePosts(queryClient, ({ photo }) => photo === post.photo)
                await make(entry, { call: async () => {}, outcome: t`The post is deleted.` })
              }}
              failed={t`The post could not be deleted. Try again in a moment.`}
              focusAfter={focusAfter}
            />,
          )
        }
      : null,
  }
}

function describeOutcome(
  action: ReportDecision,
  { collection, isWithdrawn, reportCount }: Entry,
): MessageDescriptor {
  switch (action) {
    case 'hide':
      return collection ? msg`The collection is hidden.` : msg`The image is hidden.`
    case 'unhide':
      if (collection) return msg`The collection is no longer hidden.`
      return isWithdrawn ? msg`The image is no longer hidden.` : msg`The post is in the gallery again.`
    case 'dismiss':
      return reportCount > 0 ? msg`The reports are dismissed.` : msg`The appeal is dismissed.`
  }
}
