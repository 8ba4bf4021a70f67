import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { auditKinds, type AuditEntry, type AuditKind } from '../../../shared/admin.ts'
import { failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { Button, RetryButton } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Field, Select } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { describeRecord, RecordDetails } from '../../ui/moderation-record.tsx'
import { describeAction, describeDetails } from './admin-record.ts'
import styles from './audit-log.module.css'

/** Number of entries per page. */
const pageSize = 50

/** Everything that administrators and moderators did, newest first. */
export function AuditLogSection() {
  const { t } = useLingui()
  const [kind, setKind] = useState<AuditKind | null>(null)
  const labels: Readonly<Record<AuditKind, string>> = {
    users: t`Users`,
    site: t({ message: 'Site', context: 'audit log' }),
    moderation: t`Moderation`,
  }
  return (
    <div className={styles['screen']}>
      <Field label={t({ message: 'Show', context: 'audit log' })}>
        {(control) => (
          <Select
            {...control}
            value={kind ?? ''}
            onChange={({ target }) => setKind(auditKinds.find((one) => one === target.value) ?? null)}
          >
            <option value="">{t`Everything`}</option>
            {auditKinds.map((one) => (
              <option key={one} value={one}>
                {labels[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Entries key={kind} kind={kind} />
    </div>
  )
}

function Entries({ kind }: { kind: AuditKind | null }) {
  const { t, i18n } = useLingui()
  const query = trpc.admin.auditLog.useInfiniteQuery(
    { ...(kind && { kind }), limit: pageSize },
    { getNextPageParam: (page) => page.nextCursor, refetchOnMount: 'always' },
  )
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const entries = data?.pages.flatMap((page) => page.entries)
  const retry = isFetchNextPageError ? fetchNextPage : refetch
  return (
    <>
      {entries?.length === 0 && (
        <p className={styles['quiet']}>
          <Trans>No actions yet.</Trans>
        </p>
      )}
      {entries && entries.length > 0 && (
        <ol className={styles['entries']}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {!entries && !error && <Skeleton shape="area" />}
      <Notice action={<RetryButton onClick={() => void retry()} />}>
        {error && (failureMessage(error, i18n) ?? t`The log could not be loaded.`)}
      </Notice>
      {hasNextPage && !error && (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? t`Loading…` : t`Show earlier entries`}
        </Button>
      )}
    </>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { i18n } = useLingui()
  const sentence =
    entry.kind === 'moderation' ? describeRecord(entry.record) : describeAction(entry.record, i18n)
  const details = entry.kind === 'admin' && describeDetails(entry.record, i18n)
  return (
    <li className={styles['entry']}>
      <DateTime at={entry.record.createdAt} />
      <div className={styles['words']}>
        <p className={styles['sentence']} dir="auto">
          {i18n._(sentence)}
        </p>
        {entry.kind === 'moderation' && <RecordDetails record={entry.record} />}
        {details && (
          <p className={styles['details']} dir="auto">
            {details}
          </p>
        )}
      </div>
    </li>
  )
}
