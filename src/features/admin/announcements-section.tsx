import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  announcementLinkMaxLength,
  announcementLimit,
  announcementsMax as max,
  currentAnnouncements,
  isAnnouncementLink,
  type Announcement,
  type AnnouncementLevel,
} from '../../../shared/announcements.ts'
import { cacheAnnouncements } from '../../api/announcements.ts'
import { completeDeletion, failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import {
  TextField,
  Form,
  Field,
  RadioGroup,
  textIn,
  useForm,
  type FieldErrors,
  type FormError,
} from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import styles from './admin.module.css'

/** Announcements on every page: list, form and removal. */
export function AnnouncementsSection() {
  const { t } = useLingui()
  const query = trpc.admin.announcements.list.useQuery(undefined, { refetchOnMount: 'always' })
  const { data, dataUpdatedAt } = query
  const [editing, setEditing] = useState<{ announcement: Announcement | null } | null>(null)
  const [removing, setRemoving] = useState<Announcement | null>(null)
  const isFull = data !== undefined && data.length >= max
  return (
    <div className={styles['announcements']}>
      <p className={styles['quiet']}>
        <Trans>Everyone sees announcements at the top of every page, also without an account.</Trans>
      </p>
      <QueryState query={query} failed={t`The announcements could not be loaded.`} />
      {data && (
        <>
          <Button
            variant="primary"
            isBusy={isFull}
            aria-describedby={isFull ? 'announcements-full' : undefined}
            onClick={() => setEditing({ announcement: null })}
          >
            <Trans>New announcement</Trans>
          </Button>
          {isFull && (
            <p id="announcements-full" className={styles['quiet']}>
              {t`There are ${max} announcements already. Remove one first.`}
            </p>
          )}
          {data.length === 0 && (
            <p className={styles['quiet']}>
              <Trans>There are no announcements.</Trans>
            </p>
          )}
          {data.length > 0 && (
            <ul className={styles['announcementList']} aria-label={t`Announcements`}>
              {data.map((announcement) => (
                <Item
                  key={announcement.id}
                  announcement={announcement}
                  asOf={dataUpdatedAt}
                  onEdit={() => setEditing({ announcement })}
                  onRemove={() => setRemoving(announcement)}
                />
              ))}
            </ul>
          )}
        </>
      )}
      {editing && (
        <EditAnnouncement
          key={editing.announcement?.id ?? 'new'}
          announcement={editing.announcement}
          onClosed={() => setEditing(null)}
        />
      )}
      {removing && (
        <RemoveAnnouncement key={removing.id} announcement={removing} onClosed={() => setRemoving(null)} />
      )}
    </div>
  )
}

/** @param props.asOf time of the list in milliseconds since 1970, which decides what has ended */
function Item(props: { announcement: Announcement; asOf: number; onEdit: () => void; onRemove: () => void }) {
  const { t } = useLingui()
  const { id, text, level, link, endsAt } = props.announcement
  const textId = `listed-${id}`
  const isOver = currentAnnouncements([props.announcement], props.asOf).length === 0
  return (
    <li className={styles['card']}>
      <UserText as="p" id={textId} text={text} className={styles['text']} />
      <p className={styles['small']}>
        {level === 'warning' ? t`Warning` : t`Information`} ·{' '}
        {endsAt === null ? (
          t`Until it is removed`
        ) : isOver ? (
          <Trans>
            Ended <DateTime at={endsAt} />
          </Trans>
        ) : (
          <Trans>
            Until <DateTime at={endsAt} />
          </Trans>
        )}
        {link !== null && (
          <>
            {' '}
            · <bdi dir="ltr">{link}</bdi>
          </>
        )}
      </p>
      <div className={styles['row']}>
        <Button aria-describedby={textId} onClick={props.onEdit}>
          <Trans>Edit</Trans>
        </Button>
        <Button aria-describedby={textId} onClick={props.onRemove}>
          <Trans>Remove</Trans>
        </Button>
      </div>
    </li>
  )
}

/** Shows changed announcements in the list and on this page. */
function useShow() {
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  return (announcements: readonly Announcement[]) => {
    api.admin.announcements.list.setData(undefined, [...announcements])
    cacheAnnouncements(queryClient, currentAnnouncements(announcements, Date.now()))
  }
}

const fields = ['text', 'link', 'endsAt'] as const

function EditAnnouncement(props: { announcement: Announcement | null; onClosed: () => void }) {
  const { announcement } = props
  const [open, setOpen] = useState(true)
  const [level, setLevel] = useState<AnnouncementLevel>(announcement?.level ?? 'info')
  const { t, i18n } = useLingui()
  const { client, admin } = trpc.useUtils()
  const show = useShow()
  const toast = useToast()
  const { form, errors, failure, isBusy, submit } = useForm<(typeof fields)[number], FormError>(fields)

  async function save(element: HTMLFormElement) {
    const [text, link, ends] = fields.map((field) => textIn(element, field).trim()) as [
      string,
      string,
      string,
    ]
    const endsAt = ends === '' ? null : new Date(ends)
    const found: FieldErrors<(typeof fields)[number]> = {
      ...(text === '' && { text: t`Please write what to announce.` }),
      ...(link !== '' &&
        !isAnnouncementLink(link) && {
          link: t`The link must begin with https:// or with / for a page of this site.`,
        }),
      ...(endsAt !== null &&
        !(endsAt.getTime() > Date.now()) && { endsAt: t`The end must be in the future.` }),
    }
    const isSaved = await submit(found, async () => {
      try {
        show(
          await client.admin.announcements.save.mutate({
            id: announcement?.id ?? null,
            text,
            level,
            link: link === '' ? null : link,
            endsAt: endsAt?.toISOString() ?? null,
          }),
        )
        return null
      } catch (error) {
        void admin.announcements.list.invalidate()
        const message =
          failureMessage(error, i18n) ?? t`The announcement could not be saved. Try again in a moment.`
        return { field: null, message }
      }
    })
    if (!isSaved) return
    toast(announcement ? t`The announcement is changed.` : t`The announcement is published.`)
    setOpen(false)
  }

  return (
    <Dialog
      open={open}
      title={announcement ? t`Edit the announcement` : t`New announcement`}
      description={
        announcement
          ? t`Users who have dismissed an announcement see it again when its words change.`
          : t`Everyone sees it at the top of every page.`
      }
      focusAfter={() => null}
      onClose={() => setOpen(false)}
      onClosed={props.onClosed}
    >
      <Form ref={form} onSubmit={save}>
        <Field label={t({ message: 'Text', context: 'of an announcement' })} error={errors.text}>
          {(control) => (
            <textarea
              {...control}
              name="text"
              rows={3}
              defaultValue={announcement?.text}
              maxLength={announcementLimit.characters}
            />
          )}
        </Field>
        <RadioGroup
          legend={t({ message: 'Kind', context: 'of an announcement' })}
          name="level"
          value={level}
          options={[
            { value: 'info', label: t`Information` },
            {
              value: 'warning',
              label: t`Warning`,
              hint: t`In the color of errors, for problems and outages.`,
            },
          ]}
          onChange={setLevel}
        />
        <TextField
          label={t`Link (optional)`}
          hint={t`A web address, or the path of a page of this site. Shown as “Read more”.`}
          error={errors.link}
          dir="ltr"
          type="url"
          name="link"
          defaultValue={announcement?.link ?? ''}
          maxLength={announcementLinkMaxLength}
        />
        <TextField
          label={t`Show until (optional)`}
          hint={t`In your time zone. Without an end, it is shown until you remove it.`}
          error={errors.endsAt}
          dir={undefined}
          type="datetime-local"
          name="endsAt"
          defaultValue={announcement?.endsAt ? localTime(announcement.endsAt) : ''}
        />
        <Notice>{failure?.message}</Notice>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" type="submit" isBusy={isBusy}>
            {announcement ? t`Save` : t`Publish`}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Formats a time as the value of a field for a local date and time. */
function localTime(iso: string): string {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function RemoveAnnouncement(props: { announcement: Announcement; onClosed: () => void }) {
  const { t } = useLingui()
  const { client, admin } = trpc.useUtils()
  const show = useShow()
  const toast = useToast()
  const { id } = props.announcement
  return (
    <ConfirmCall
      title={t`Remove the announcement?`}
      description={t`It disappears from every page.`}
      confirm={t`Remove`}
      call={async () => {
        await completeDeletion(client.admin.announcements.remove.mutate({ id }).then(show))
        void admin.announcements.list.invalidate()
        toast(t`The announcement is removed.`)
      }}
      failed={t`The announcement could not be removed. Try again in a moment.`}
      onClosed={props.onClosed}
    />
  )
}
