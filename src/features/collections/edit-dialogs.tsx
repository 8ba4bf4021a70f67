import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import {
  contributorKinds,
  descriptionLimit,
  titleLimit,
  type Collection,
  type Contributors,
} from '../../../shared/collections.ts'
import { visibilities } from '../../../shared/posts.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { OneTimeText } from '../../ui/one-time-text.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { RadioGroup, TextArea, TextField, type GroupOption } from '../../ui/form.tsx'
import { FailureNotice, useCall } from '../auth/call-failure.tsx'
import { changesOf, FormDialog } from '../auth/call-form.tsx'
import { useReloadCollections } from './collection-loader.tsx'

/**
 * Edits a collection, or creates one.
 *
 * @param props.collection null for a new one
 */
export function EditCollection(props: {
  collection: Collection | null
  onSaved?: (saved: Collection) => void
}) {
  const { t } = useLingui()
  const { collection } = props
  const { client } = trpc.useUtils()
  const reload = useReloadCollections()
  const contributors: readonly GroupOption<Contributors>[] = [
    { value: 'owner', label: t`Only you` },
    { value: 'invited', label: t`People you invite`, hint: t`By a link that you can withdraw` },
    { value: 'members', label: t`Every member`, hint: t`Everyone who is signed in and sees the collection` },
  ]
  return (
    <FormDialog
      title={collection ? t`Edit collection` : t`New collection`}
      description={t`Posts keep their own visibility: a private post is shown to its author only.`}
      submit={collection ? t`Save changes` : t`Create`}
      busy={t`Saving…`}
      outcome={collection ? t`Changes saved.` : t`The collection is there.`}
      failed={t`The collection could not be saved. Try again in a moment.`}
      call={async (text) => {
        const input = {
          title: text('title'),
          description: text('description'),
          visibility: visibilities.find((one) => one === text('visibility')) ?? 'public',
          contributors: contributorKinds.find((one) => one === text('contributors')) ?? 'owner',
        }
        const { create, update } = client.collections
        const saved = await (collection
          ? update.mutate({ id: collection.id, ...changesOf(collection, input) })
          : create.mutate(input))
        await reload()
        props.onSaved?.(saved)
      }}
    >
      <TextField
        label={t`Title`}
        name="title"
        check={(title) => title === '' && t`Please give the collection a title.`}
        defaultValue={collection?.title}
        maxLength={titleLimit.codeUnits}
      />
      <TextArea
        label={t`Description (optional)`}
        name="description"
        defaultValue={collection?.description}
        maxLength={descriptionLimit.codeUnits}
      />
      <RadioGroup
        legend={t`Who can see it`}
        name="visibility"
        defaultValue={collection?.visibility ?? 'public'}
        options={[
          { value: 'public', label: t`Public`, hint: t`Everyone, in the list of collections` },
          { value: 'unlisted', label: t`Unlisted`, hint: t`Only people with the link` },
          { value: 'private', label: t`Private`, hint: t`Only you and people you invite` },
        ]}
      />
      <RadioGroup
        legend={t`Who can add images`}
        name="contributors"
        defaultValue={collection?.contributors ?? 'owner'}
        options={contributors}
      />
    </FormDialog>
  )
}

/** Makes, shows and withdraws the link by which users become contributors. */
export function InviteContributors({ collection }: { collection: Collection }) {
  const { t } = useLingui()
  const { id } = collection
  const [open, setOpen] = useState(true)
  /** The path of a new link; otherwise whether there is one. */
  const [link, setLink] = useState<string | boolean>(collection.hasInvitation)
  const { client } = trpc.useUtils()
  const failed = t`The invitation could not be changed. Try again in a moment.`
  const { run, isBusy, failure } = useCall(failed, useReloadCollections())

  function create() {
    const call = async () => setLink((await client.collections.createInvitation.mutate({ id })).path)
    run(call, t`The link is ready.`)
  }

  function revoke() {
    const call = async () => {
      await client.collections.revokeInvitation.mutate({ id })
      setLink(false)
    }
    run(call, t`The link is withdrawn.`)
  }

  return (
    <Dialog
      open={open}
      title={t`Invite people`}
      description={t`Everyone who opens the link and signs in can see the collection and add images. A new link ends the former one.`}
      onClose={() => !isBusy}
    >
      <FailureNotice failure={failure} />
      {typeof link === 'string' && (
        <OneTimeText
          key={link}
          label={t`Link to share`}
          hint={t`Copy it now: it is not shown again.`}
          value={location.origin + link}
          copied={t`The link is on your clipboard.`}
          notCopied={t`The browser did not copy the link. Copy the selected text yourself.`}
          onDone={() => setOpen(false)}
        />
      )}
      <DialogActions>
        {link !== false && <Button isBusy={isBusy} onClick={revoke}>{t`Withdraw the link`}</Button>}
        {typeof link === 'boolean' && (
          <Button variant="primary" isBusy={isBusy} onClick={create}>
            {link ? t`Make a new link` : t`Make a link`}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
