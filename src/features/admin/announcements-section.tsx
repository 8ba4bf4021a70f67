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
import { completeDeletion } from '../../api/failure.ts'
import { pageKeys } from '../../api/page-data.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { EntryList } from '../../ui/entry-list.tsx'
import { RadioGroup, TextArea, TextField } from '../../ui/form.tsx'
import { DateTime } from '../../ui/formats.tsx'
import ui from '../../ui/primitives.module.css'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { FormDialog } from '../auth/form-dialog.tsx'
import { ConfirmCall } from '../auth/confirm-call.tsx'
import styles from './admin.module.css'

/** Announcements on every page: list, form and removal. */
export function AnnouncementsSection() {
  const { t } = useLingui()
  const { client, admin } = trpc.useUtils()
  const query = trpc.admin.announcements.list.useQuery(undefined, { refetchOnMount: 'always' })
  const { data, dataUpdatedAt } = query
  const [dialog, open] = useDialog()
  const show = useShow()
  const isFull = data !== undefined && data.length >= max

  const edit = (announcement: Announcement | null) =>
    open((onClosed) => <EditAnnouncement announcement={announcement} onClosed={onClosed} />)
  const remove = ({ id }: Announcement) =>
    open((onClosed) => (
      <ConfirmCall
        title={t`Remove the announcement?`}
        description={t`It disappears from every page.`}
        confirm={t`Remove`}
        outcome={t`The announcement is removed.`}
        call={async () => {
          await completeDeletion(client.admin.announcements.remove.mutate({ id }).then(show))
          void admin.announcements.list.invalidate()
        }}
        failed={t`The announcement could not be removed. Try again in a moment.`}
        onClosed={onClosed}
      />
    ))

  return (
    <div className={`${ui['stack']} ${styles['announcements']}`}>
      <p className={ui['quiet']}>
        {t`Everyone sees announcements at the top of every page, also without an account.`}
      </p>
      <QueryState query={query} failed={t`The announcements could not be loaded.`} />
      {data && (
        <>
          <Button
            variant="primary"
            isBusy={isFull}
            aria-describedby={isFull ? 'announcements-full' : undefined}
            onClick={() => edit(null)}
          >
            {t`New announcement`}
          </Button>
          {isFull && (
            <p id="announcements-full" className={ui['quiet']}>
              {t`There are ${max} announcements already. Remove one first.`}
            </p>
          )}
          <EntryList
            label={t`Announcements`}
            empty={t`There are no announcements.`}
            className={`${ui['stack']} ${styles['announcementList']}`}
          >
            {data.map((announcement) => (
              <Item
                key={announcement.id}
                announcement={announcement}
                asOf={dataUpdatedAt}
                onEdit={() => edit(announcement)}
                onRemove={() => remove(announcement)}
              />
            ))}
          </EntryList>
        </>
      )}
      {dialog}
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
    <li className={`${ui['stack']} ${ui['card']} ${styles['card']}`}>
      <UserText as="p" id={textId} text={text} className={styles['text']} />
      <p className={ui['small']}>
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
      <div className={ui['row']}>
        <Button aria-describedby={textId} onClick={props.onEdit}>
          {t`Edit`}
        </Button>
        <Button aria-describedby={textId} onClick={props.onRemove}>
          {t`Remove`}
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
    queryClient.setQueryData(pageKeys.announcements, currentAnnouncements(announcements, Date.now()))
  }
}

function EditAnnouncement(props: { announcement: Announcement | null; onClosed: () => void }) {
  const { announcement } = props
  const [level, setLevel] = useState<AnnouncementLevel>(announcement?.level ?? 'info')
  const { t } = useLingui()
  const { client, admin } = trpc.useUtils()
  const show = useShow()
  return (
    <FormDialog
      title={announcement ? t`Edit the announcement` : t`New announcement`}
      description={
        announcement
          ? t`Users who have dismissed an announcement see it again when its words change.`
          : t`Everyone sees it at the top of every page.`
      }
      submit={announcement ? t`Save` : t`Publish`}
      outcome={announcement ? t`The announcement is changed.` : t`The announcement is published.`}
      failed={t`The announcement could not be saved. Try again in a moment.`}
      check={(typed) => {
        const [link, endsAt] = [typed('link'), typed('endsAt')]
        return {
          text: typed('text') === '' && t`Please write what to announce.`,
          link:
            link !== '' &&
            !isAnnouncementLink(link) &&
            t`The link must begin with https:// or with / for a page of this site.`,
          endsAt: endsAt !== '' && !(Date.parse(endsAt) > Date.now()) && t`The end must be in the future.`,
        }
      }}
      call={async (typed) => {
        const endsAt = typed('endsAt')
        const input = {
          id: announcement?.id ?? null,
          text: typed('text'),
          level,
          link: typed('link') || null,
          endsAt: endsAt === '' ? null : new Date(endsAt).toISOString(),
        }
        try {
          show(await client.admin.announcements.save.mutate(input))
        } catch (error) {
          void admin.announcements.list.invalidate()
          throw error
        }
      }}
      onClosed={props.onClosed}
    >
      <TextArea
        label={t({ message: 'Text', context: 'of an announcement' })}
        name="text"
        defaultValue={announcement?.text}
        maxLength={announcementLimit.characters}
      />
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
        dir="ltr"
        type="url"
        name="link"
        defaultValue={announcement?.link ?? ''}
        maxLength={announcementLinkMaxLength}
      />
      <TextField
        label={t`Show until (optional)`}
        hint={t`In your time zone. Without an end, it is shown until you remove it.`}
        dir={undefined}
        type="datetime-local"
        name="endsAt"
        defaultValue={announcement?.endsAt ? localTime(announcement.endsAt) : ''}
      />
    </FormDialog>
  )
}

/** Formats a time as the value of a field for a local date and time. */
function localTime(iso: string): string {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
