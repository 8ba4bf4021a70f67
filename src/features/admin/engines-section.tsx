import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import type { AdminEngine } from '../../../shared/admin.ts'
import { roles, type Role } from '../../../shared/viewer.ts'
import { failureMessage } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { useToast } from '../../ui/announcer.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Field, Select } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState } from '../auth/call-failure.tsx'
import styles from './admin.module.css'
import { failureLabel } from './failure-labels.ts'

/** Time after which the list is loaded again, in milliseconds. */
const refreshMs = 10_000

/** State of the image engines, and who may use which. */
export function EnginesSection() {
  const { t } = useLingui()
  const query = trpc.admin.engines.list.useQuery(undefined, { refetchInterval: refreshMs })
  const { data } = query
  const { change, changing, failure } = useEngineChange()
  return (
    <div className={styles['section']}>
      <p className={styles['intro']}>
        <Trans>
          A paused engine accepts no new images. Those that wait for it are generated when it is resumed;
          those that are being generated are finished.
        </Trans>
      </p>
      <QueryState query={query} failed={t`The engines could not be loaded.`} />
      <Notice>{failure}</Notice>
      {data && (
        <ul className={styles['engines']} aria-label={t`Engines`}>
          {data.engines.map((engine) => (
            <EngineItem
              key={engine.id}
              engine={engine}
              isOnly={data.engines.length === 1}
              isBusy={changing === engine.id}
              onChange={(patch, outcome) => void change(engine.id, patch, outcome)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

interface EnginePatch {
  readonly isPaused?: boolean
  readonly access?: Role
  readonly isDefault?: true
}

/** Changes one engine at a time. */
function useEngineChange() {
  const api = trpc.useUtils()
  const toast = useToast()
  const { t, i18n } = useLingui()
  const [changing, setChanging] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function change(id: string, patch: EnginePatch, outcome: string): Promise<void> {
    if (changing !== null) return
    setChanging(id)
    setFailure(null)
    try {
      // A load that began before would bring back the old state.
      await api.admin.engines.list.cancel()
      api.admin.engines.list.setData(
        undefined,
        await api.client.admin.engines.update.mutate({ id, ...patch }),
      )
      toast(outcome)
      void api.engines.list.invalidate()
    } catch (error) {
      setFailure(failureMessage(error, i18n) ?? t`The engine could not be changed. Try again in a moment.`)
      void api.admin.engines.list.invalidate()
    }
    setChanging(null)
  }

  return { change, changing, failure }
}

const accessLabels: Readonly<Record<Role, MessageDescriptor>> = {
  member: msg`Everyone`,
  moderator: msg`Moderators and administrators`,
  administrator: msg`Administrators`,
}

function EngineItem(props: {
  engine: AdminEngine
  isOnly: boolean
  isBusy: boolean
  onChange: (patch: EnginePatch, outcome: string) => void
}) {
  const { engine, isOnly, isBusy, onChange } = props
  const { t, i18n } = useLingui()
  const labelId = useId()
  const { label, model, isDefault, isPaused, access, running, waiting } = engine
  return (
    <li className={styles['card']}>
      <div className={styles['head']}>
        <p id={labelId} className={styles['label']}>
          <UserText text={label} />
        </p>
        <p className={styles['badges']}>
          <EngineState engine={engine} />
          {isDefault && !isOnly && <Badge>{t({ message: 'Default', context: 'engine' })}</Badge>}
        </p>
      </div>
      <p className={styles['small']}>
        {model && (
          <>
            <span dir="auto">{model}</span>
            {' · '}
          </>
        )}
        {t`${plural(running, { one: '# running', other: '# running' })}`}
        {' · '}
        {t`${plural(waiting, { one: '# waiting', other: '# waiting' })}`}
      </p>
      <LatestError engine={engine} />
      <div className={styles['controls']}>
        <Field label={t`Who may use it`}>
          {(control) => (
            <Select
              {...control}
              value={access}
              aria-describedby={labelId}
              onChange={({ target }) => {
                const role = roles.find((candidate) => candidate === target.value)
                if (role) onChange({ access: role }, t`The access to the engine is changed.`)
              }}
            >
              {roles.map((role) => (
                <option key={role} value={role}>
                  {i18n._(accessLabels[role])}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className={styles['row']}>
          <Button
            aria-describedby={labelId}
            isBusy={isBusy}
            onClick={() =>
              onChange(
                { isPaused: !isPaused },
                isPaused ? t`The engine is resumed.` : t`The engine is paused.`,
              )
            }
          >
            {isPaused ? t`Resume` : t({ message: 'Pause', context: 'engine' })}
          </Button>
          {!isDefault && (
            <Button
              aria-describedby={labelId}
              isBusy={isBusy}
              onClick={() => onChange({ isDefault: true }, t`The engine is offered first.`)}
            >
              <Trans>Make default</Trans>
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

function EngineState({ engine: { isPaused, isAvailable } }: { engine: AdminEngine }) {
  const { t } = useLingui()
  if (isPaused) return <Badge>{t({ message: 'Paused', context: 'engine' })}</Badge>
  return isAvailable ? (
    <Badge tone="accent">{t({ message: 'Available', context: 'engine' })}</Badge>
  ) : (
    <Badge tone="danger">{t({ message: 'Unavailable', context: 'engine' })}</Badge>
  )
}

function LatestError({ engine: { isAvailable, issue, failure } }: { engine: AdminEngine }) {
  const { i18n } = useLingui()
  const reason = failure && i18n._(failureLabel(failure.code))
  return (
    <>
      {!isAvailable && issue && (
        <p className={styles['error']}>
          <Trans>
            It does not answer: <UserText text={issue} />
          </Trans>
        </p>
      )}
      {failure && (
        <p className={styles['small']}>
          <Trans>
            Latest failure: {reason}, <DateTime at={failure.at} />
          </Trans>
        </p>
      )}
    </>
  )
}
