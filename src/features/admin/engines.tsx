import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { AdminEngine } from '../../../shared/admin.ts'
import type { ErrorCode } from '../../../shared/errors.ts'
import { roles, type Role } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/entry-list.tsx'
import { SelectField } from '../../ui/form.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState, useCall } from '../auth/call-failure.tsx'
import styles from './admin.module.css'

/** Time after which the list is loaded again, in milliseconds. */
const refreshMs = 10_000

/** State of the image engines, and who may use which. */
export function Engines() {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const query = trpc.admin.engines.list.useQuery(undefined, { refetchInterval: refreshMs })
  const { data } = query
  const { list } = api.admin.engines
  const { run, isBusy, failure } = useCall(t`The engine could not be changed. Try again in a moment.`, () =>
    list.invalidate(),
  )

  async function change(id: string, patch: EnginePatch): Promise<void> {
    // A load that began before would bring back the old state.
    await list.cancel()
    list.setData(undefined, await api.client.admin.engines.update.mutate({ id, ...patch }))
    void api.engines.list.invalidate()
  }

  return (
    <div className="stack">
      <p className="intro">
        {t`A paused engine accepts no new images. Those that wait for it are generated when it is resumed; those that are being generated are finished.`}
      </p>
      <QueryState query={query} failed={t`The engines could not be loaded.`} />
      <Notice>{failure?.message}</Notice>
      {data && (
        <ul className="stack" aria-label={t`Engines`}>
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

type EnginePatch = { readonly isPaused?: boolean; readonly access?: Role; readonly isDefault?: true }

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
  const { isBusy, onChange } = props
  const { label, model, isDefault, isPaused, isAvailable, issue, access, running, waiting, failure } =
    props.engine
  const { t, i18n } = useLingui()
  const labelId = useId()
  const state = isPaused
    ? t({ message: 'Paused', context: 'engine' })
    : isAvailable
      ? t({ message: 'Available', context: 'engine' })
      : t({ message: 'Unavailable', context: 'engine' })
  const reason = failure && i18n._(failureLabel(failure.code))
  return (
    <li className={`stack tight card padded ${styles['card']}`}>
      <div className="ends">
        <p id={labelId} className="name">
          <UserText text={label} />
        </p>
        <p className="row">
          <Badge tone={isPaused ? undefined : isAvailable ? 'accent' : 'danger'}>{state}</Badge>
          {isDefault && !props.isOnly && <Badge>{t({ message: 'Default', context: 'engine' })}</Badge>}
        </p>
      </div>
      <p className="quiet small breakable">
        {model && <span dir="auto">{model}</span>}
        {model && ' · '}
        {t`${plural(running, { one: '# running', other: '# running' })}`}
        {' · '}
        {t`${plural(waiting, { one: '# waiting', other: '# waiting' })}`}
      </p>
      {!isAvailable && issue && (
        <p className={`small breakable ${styles['error']}`}>
          <Sentence of={msg`It does not answer: ${issue}`} />
        </p>
      )}
      {failure && (
        <p className="quiet small breakable">
          <Trans>
            Latest failure: {reason}, <DateTime at={failure.at} />
          </Trans>
        </p>
      )}
      <div className={`ends ${styles['controls']}`}>
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
        <div className="row wider">
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

const failureLabels: Readonly<Partial<Record<ErrorCode, MessageDescriptor>>> = {
  prompt_blocked: msg`Prompt not allowed by the image service`,
  bad_input: msg`Settings not accepted by the engine`,
  engine_failed: msg`Error of the engine`,
  engine_misconfigured: msg`Engine not set up correctly`,
  engine_out_of_credit: msg`Out of credit`,
  engine_out_of_memory: msg`Too little memory`,
  engine_unavailable: msg`Engine not reached`,
  engine_busy: msg`Engine busy`,
  engine_timeout: msg`Time limit exceeded`,
  interrupted: msg`Server stopped meanwhile`,
  storage_unavailable: msg`Storage not available`,
  storage_full: msg`Storage full`,
}

/** Returns the reason for a failed generation, in the terms of those who run the site. */
export function failureLabel(code: ErrorCode): MessageDescriptor {
  return failureLabels[code] ?? msg`Unexpected error: see the log of the server`
}
