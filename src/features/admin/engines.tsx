import type { MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { AdminEngine } from '../../../shared/admin.ts'
import type { ErrorCode } from '../../../shared/errors.ts'
import { roles, type Role } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/announcer.tsx'
import { Badge, MoreMenu } from '../../ui/entry-list.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { SelectField } from '../../ui/form.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState, useCall } from '../auth/call-failure.tsx'
import { DeleteEntry, FormDialog } from '../auth/call-form.tsx'
import styles from './admin.module.css'
import { EngineFields, engineEntry } from './engine-form.tsx'
import { FixedBy } from './settings.tsx'

/** Time after which the list is loaded again, in milliseconds. */
const refreshMs = 10_000

/** State of the image engines, and who may use which. */
export function Engines() {
  const { t } = useLingui()
  const api = trpc.useUtils()
  const [dialog, open] = useDialog()
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

  /** Opens the form of an engine, a new one without `engine`. */
  const edit = (engine?: AdminEngine) =>
    open(
      <FormDialog
        title={engine ? t`Edit the engine` : t`New engine`}
        description={t`Every process of the site uses it at once. Keys and passwords are stored encrypted, and never shown again.`}
        submit={engine ? t`Save` : t`Add the engine`}
        busy={t`Saving…`}
        outcome={engine ? t`The engine is changed.` : t`The engine is added.`}
        failed={t`The engine could not be changed. Try again in a moment.`}
        call={async (text) => {
          const { engines } = api.client.admin
          const entry = engineEntry(text, engine)
          const { id } = engine
            ? { id: engine.id, ...(await engines.update.mutate({ ...entry, id: engine.id })) }
            : await engines.create.mutate(entry)
          // The list has its state then.
          await engines.test.mutate({ id })
        }}
        onSettled={() => list.invalidate()}
      >
        <EngineFields {...(engine && { engine })} />
      </FormDialog>,
    )

  const remove = (engine: AdminEngine) =>
    open(
      <DeleteEntry
        id={engine.id}
        title={<Sentence of={msg`Delete the engine ${engine.label}?`} />}
        description={t`Images that wait for it fail, and are not counted. Finished images stay.`}
        confirm={t`Delete`}
        outcome={t`The engine is deleted.`}
        remove={() => api.client.admin.engines.delete.mutate({ id: engine.id })}
        onRemoved={() => list.invalidate()}
      />,
    )

  async function test(id: string): Promise<void> {
    const { isAvailable } = await api.client.admin.engines.test.mutate({ id })
    toast(isAvailable ? t`The engine is available.` : t`The engine does not answer.`)
  }

  function itemsOf(engine: AdminEngine): readonly MenuItem[] {
    if (!engine.isAdded) return []
    const added = data?.engines.filter(({ isAdded }) => isAdded) ?? []
    const place = added.findIndex(({ id }) => id === engine.id)
    const move = (before: AdminEngine | undefined) =>
      run(() => change(engine.id, { before: before?.id ?? null }), t`The engine is moved.`)
    return [
      ...(engine.kind ? [{ label: t`Edit`, onSelect: () => edit(engine) }] : []),
      ...(place > 0 ? [{ label: t`Move up`, onSelect: () => move(added[place - 1]) }] : []),
      ...(place < added.length - 1 ? [{ label: t`Move down`, onSelect: () => move(added[place + 2]) }] : []),
      { label: t`Delete`, onSelect: () => remove(engine) },
    ]
  }

  return (
    <div className="stack">
      <p className="intro">
        {t`A paused engine accepts no new images. Those that wait for it are generated when it is resumed; those that are being generated are finished.`}
      </p>
      <QueryState query={query} failed={t`The engines could not be loaded.`} />
      <Notice>{failure?.message}</Notice>
      {data && (
        <div>
          <Button variant="primary" onClick={() => edit()}>
            {t`Add an engine`}
          </Button>
        </div>
      )}
      {data && (
        <ul className="stack" aria-label={t`Engines`}>
          {data.engines.map((engine) => (
            <EngineItem
              key={engine.id}
              engine={engine}
              isOnly={data.engines.length === 1}
              isBusy={isBusy}
              items={itemsOf(engine)}
              onTest={() => run(() => test(engine.id))}
              onChange={(patch, outcome) => run(() => change(engine.id, patch), outcome)}
            />
          ))}
        </ul>
      )}
      {dialog}
    </div>
  )
}

interface EnginePatch {
  readonly isPaused?: boolean
  readonly access?: Role
  readonly isDefault?: true
  readonly before?: string | null
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
  items: readonly MenuItem[]
  onTest: () => void
  onChange: (patch: EnginePatch, outcome: string) => void
}) {
  const { engine, items, isBusy, onTest, onChange } = props
  const { model, isDefault, isPaused, isAvailable, issue, running, waiting, failure, fixedBy } = engine
  const { t, i18n } = useLingui()
  const labelId = useId()
  const [state, tone] = isPaused
    ? [t({ message: 'Paused', context: 'engine' })]
    : isAvailable
      ? [t({ message: 'Available', context: 'engine' }), 'accent' as const]
      : [t({ message: 'Unavailable', context: 'engine' }), 'danger' as const]
  const reason = failure && i18n._(failureLabel(failure.code))
  const pausing = isPaused
    ? ([t`Resume`, t`The engine is resumed.`] as const)
    : ([t({ message: 'Pause', context: 'engine' }), t`The engine is paused.`] as const)
  const actions: readonly (readonly [label: string, act: () => void])[] = [
    [t({ message: 'Test', context: 'engine' }), onTest],
    [pausing[0], () => onChange({ isPaused: !isPaused }, pausing[1])],
    ...(isDefault
      ? []
      : [[t`Make default`, () => onChange({ isDefault: true }, t`The engine is offered first.`)] as const]),
  ]
  return (
    <li id={engine.id} className={`stack tight card padded ${styles['card']}`}>
      <div className="ends">
        <p id={labelId} className="name">
          <UserText text={engine.label} />
        </p>
        <div className="line">
          <Badge tone={tone}>{state}</Badge>
          {isDefault && !props.isOnly && <Badge>{t({ message: 'Default', context: 'engine' })}</Badge>}
          {items.length > 0 && <MoreMenu describedBy={labelId} items={items} />}
        </div>
      </div>
      <p className="quiet small breakable">
        {model && <span dir="auto">{model}</span>}
        {model && ' · '}
        {t`${plural(running, { one: '# running', other: '# running' })}`}
        {' · '}
        {t`${plural(waiting, { one: '# waiting', other: '# waiting' })}`}
      </p>
      {fixedBy !== null && (
        <p className="quiet small">
          <FixedBy variable={fixedBy} />
        </p>
      )}
      {!isAvailable && issue && (
        <p className="alarming small breakable">
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
          value={engine.access}
          aria-describedby={labelId}
          options={roles.map((role) => [role, i18n._(accessLabels[role])])}
          onChange={({ target }) => {
            const access = roles.find((role) => role === target.value)
            if (access) onChange({ access }, t`The access to the engine is changed.`)
          }}
        />
        <div className="row wider">
          {actions.map(([label, act]) => (
            <Button key={label} aria-describedby={labelId} isBusy={isBusy} onClick={act}>
              {label}
            </Button>
          ))}
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
