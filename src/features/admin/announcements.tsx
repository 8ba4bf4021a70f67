import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import {
  announcementLinkMaxLength,
  announcementLimit,
  announcementsMax as max,
  currentAnnouncements,
  isAnnouncementLink,
  type Announcement,
} from '../../../shared/announcements.ts'
import { completeDeletion } from '../../api/missing.ts'
import { pageKeys } from '../../api/page-data.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { EntryList } from '../../ui/entry-list.tsx'
import { RadioGroup, TextArea, TextField } from '../../ui/form.tsx'
import { DateTime, localTime } from '../../ui/formats.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import styles from './admin.module.css'

/** Announcements on every page: list, form and removal. */
export function Announcements() {
  const { t } = useLingui()
  const { client, admin } = trpc.useUtils()
  const { list } = admin.announcements
  const queryClient = useQueryClient()
  const query = trpc.admin.announcements.list.useQuery(undefined, { refetchOnMount: 'always' })
  const { data, dataUpdatedAt } = query
  const [dialog, open] = useDialog()
  const isFull = data !== undefined && data.length >= max

  /** Shows changed announcements in the list and on this page. */
  function show(announcements: Announcement[]) {
    list.setData(undefined, announcements)
    queryClient.setQueryData(pageKeys.announcements, currentNow(announcements))
  }

  const edit = (announcement: Announcement | null) =>
    open(
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
        call={async (text) => {
          const input = {
            id: announcement?.id ?? null,
            text: text('text'),
            level: text('level') === 'warning' ? ('warning' as const) : ('info' as const),
            link: text('link') || null,
            endsAt: text('endsAt') === '' ? null : new Date(text('endsAt')).toISOString(),
          }
          show(await client.admin.announcements.save.mutate(input))
        }}
        onSettled={() => list.invalidate()}
      >
        <TextArea
          label={t({ message: 'Text', context: 'of an announcement' })}
          name="text"
          defaultValue={announcement?.text}
          maxLength={announcementLimit.codeUnits}
          check={(text) => text === '' && t`Please write what to announce.`}
        />
        <RadioGroup
          legend={t({ message: 'Kind', context: 'of an announcement' })}
          name="level"
          defaultValue={announcement?.level ?? 'info'}
          options={[
            { value: 'info', label: t`Information` },
            {
              value: 'warning',
              label: t`Warning`,
              hint: t`In the color of errors, for problems and outages.`,
            },
          ]}
        />
        <TextField
          label={t`Link (optional)`}
          hint={t`A web address, or the path of a page of this site. Shown as “Read more”.`}
          dir="ltr"
          type="url"
          name="link"
          defaultValue={announcement?.link ?? ''}
          maxLength={announcementLinkMaxLength}
          check={(link) =>
            link !== '' &&
            !isAnnouncementLink(link) &&
            t`The link must begin with https:// or with / for a page of this site.`
          }
        />
        <TextField
          label={t`Show until (optional)`}
          hint={t`In your time zone. Without an end, it is shown until you remove it.`}
          dir={undefined}
          type="datetime-local"
          name="endsAt"
          defaultValue={announcement?.endsAt ? localTime(announcement.endsAt) : ''}
          check={(end) => end !== '' && !(Date.parse(end) > Date.now()) && t`The end must be in the future.`}
        />
      </FormDialog>,
    )

  const remove = ({ id }: Announcement) =>
    open(
      <ConfirmCall
        title={t`Remove the announcement?`}
        description={t`It disappears from every page.`}
        confirm={t`Remove`}
        outcome={t`The announcement is removed.`}
        call={() => completeDeletion(client.admin.announcements.remove.mutate({ id }).then(show))}
        onSettled={() => list.invalidate()}
        failed={t`The announcement could not be removed. Try again in a moment.`}
      />,
    )

  return (
    <div className="stack narrow">
      <p className="quiet">
        {t`Everyone sees announcements at the top of every page, also without an account.`}
      </p>
      <QueryState query={query} failed={t`The announcements could not be loaded.`} />
      {data && (
        <>
          <div>
            <Button
              variant="primary"
              isBusy={isFull}
              aria-describedby={isFull ? 'announcements-full' : undefined}
              onClick={() => edit(null)}
            >
              {t`New announcement`}
            </Button>
          </div>
          {isFull && (
            <p id="announcements-full" className="quiet">
              {t`There are ${max} announcements already. Remove one first.`}
            </p>
          )}
          <EntryList
            label={t`Announcements`}
            empty={t`There are no announcements.`}
            className="stack wider full"
          >
            {data.map((announcement) => (
              <AnnouncementItem
                key={announcement.id}
                announcement={announcement}
                isOver={currentAnnouncements([announcement], dataUpdatedAt).length === 0}
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

function AnnouncementItem(props: {
  announcement: Announcement
  isOver: boolean
  onEdit: () => void
  onRemove: () => void
}) {
  const { t } = useLingui()
  const { id, text, level, link, endsAt } = props.announcement
  const textId = `listed-${id}`
  return (
    <li className={`stack tight card padded ${styles['card']}`}>
      <UserText as="p" id={textId} text={text} className="breakable lines" />
      <p className="quiet small breakable">
        {level === 'warning' ? t`Warning` : t`Information`} ·{' '}
        {endsAt === null ? (
          t`Until it is removed`
        ) : props.isOver ? (
          <Trans>
            Ended <DateTime at={endsAt} />
          </Trans>
        ) : (
          <Trans>
            Until <DateTime at={endsAt} />
          </Trans>
        )}
        {link !== null && ' · '}
        {link !== null && <bdi dir="ltr">{link}</bdi>}
      </p>
      <div className="row wider">
        <Button aria-describedby={textId} onClick={props.onEdit}>{t`Edit`}</Button>
        <Button aria-describedby={textId} onClick={props.onRemove}>{t`Remove`}</Button>
      </div>
    </li>
  )
}

function currentNow(announcements: readonly Announcement[]): readonly Announcement[] {
  return currentAnnouncements(announcements, Date.now())
}
