import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { AdminEngine } from '../../../shared/admin.ts'
import { roles, type Role } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { SelectField } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import ui from '../../ui/primitives.module.css'
import { UserText } from '../../ui/user-text.tsx'
import { QueryState, useCall } from '../auth/call-failure.tsx'
import styles from './admin.module.css'
import { failureLabel } from './failure-labels.ts'

/** Time after which the list is loaded again, in milliseconds. */
const refreshMs = 10_000

/** State of the image engines, and who may use which. */
export function EnginesSection() {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const query = trpc.admin.engines.list.useQuery(undefined, { refetchInterval: refreshMs })
  const { data } = query
  const { run, isBusy, failure } = useCall(t`The engine could not be changed. Try again in a moment.`)

  async function change(id: string, patch: EnginePatch): Promise<void> {
    const { list } = api.admin.engines
    // A load that began before would bring back the old state.
    await list.cancel()
    try {
      list.setData(undefined, await api.client.admin.engines.update.mutate({ id, ...patch }))
      void api.engines.list.invalidate()
    } catch (error) {
      void list.invalidate()
      throw error
    }
  }

  return (
    <div className={ui['stack']}>
      <p className={ui['intro']}>
        {t`A paused engine accepts no new images. Those that wait for it are generated when it is resumed; those that are being generated are finished.`}
      </p>
      <QueryState query={query} failed={t`The engines could not be loaded.`} />
      <Notice>{failure?.message}</Notice>
      {data && (
        <ul className={ui['stack']} aria-label={t`Engines`}>
          {data.engines.map((engine) => (
            <EngineItem
              key={engine.id}
              engine={engine}
              isOnly={data.engines.length === 1}
              isBusy={isBusy}
              onChange={(patch, outcome) => run(() => change(engine.id, patch), outcome)}
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
    <li className={`${ui['stack']} ${ui['card']} ${styles['card']}`}>
      <div className={ui['ends']}>
        <p id={labelId} className={ui['strong']}>
          <UserText text={label} />
        </p>
        <p className={`${ui['row']} ${styles['badges']}`}>
          <EngineState engine={engine} />
          {isDefault && !isOnly && <Badge>{t({ message: 'Default', context: 'engine' })}</Badge>}
        </p>
      </div>
      <p className={ui['small']}>
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
      <div className={`${ui['ends']} ${styles['controls']}`}>
        <SelectField
          label={t`Who may use it`}
          value={access}
          aria-describedby={labelId}
          options={roles.map((role) => [role, i18n._(accessLabels[role])])}
          onChange={({ target }) => {
            const role = roles.find((candidate) => candidate === target.value)
            if (role) onChange({ access: role }, t`The access to the engine is changed.`)
          }}
        />
        <div className={ui['row']}>
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
              {t`Make default`}
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
        <p className={`${ui['small']} ${styles['error']}`}>
          <Trans>
            It does not answer: <UserText text={issue} />
          </Trans>
        </p>
      )}
      {failure && (
        <p className={ui['small']}>
          <Trans>
            Latest failure: {reason}, <DateTime at={failure.at} />
          </Trans>
        </p>
      )}
    </>
  )
}
