import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ErrorCode } from '../../../shared/errors.ts'
import { roles, type Role } from '../../../shared/viewer.ts'
import { engineLabel } from '../../images/image.tsx'
import { completeDeletion } from '../../api/missing.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/announcer.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Badge } from '../../ui/entry-list.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { SelectField } from '../../ui/form.tsx'
import { DateTime } from '../../ui/formats.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { UserText } from '../../ui/text.tsx'
import { QueryState, useCall } from '../auth/call-failure.tsx'
import { ConfirmCall, FormDialog } from '../auth/call-form.tsx'
import { EngineFields, engineEntry, type AdminEngine } from './engine-form.tsx'
import { FixedBy } from './settings.tsx'

/** Time after which the list is loaded again, in milliseconds. */
const refreshMs = 10_000

/** State of the image engines in their order, and who may use which. */
export function Engines() {
  const { t } = useLingui()
  const [dialog, open] = useDialog()
  const query = trpc.admin.engines.list.useQuery(undefined, { refetchInterval: refreshMs })
  const { data } = query
  const columns = useEngineColumns(data?.engines.length === 1)
  const add = () => open(<EngineForm />)
  const show = (engine: AdminEngine) => open(<EngineDrawer listed={engine} />)
  return (
    <div className="stack">
      <p className="intro">
        {t`A paused engine accepts no new images. Those that wait for it are generated when it is resumed; those that are being generated are finished.`}
      </p>
      <QueryState query={query} failed={t`The engines could not be loaded.`} />
      {data && (
        <>
          <div>
            <Button id="add-engine" variant="primary" onClick={add}>{t`Add an engine`}</Button>
          </div>
          <DataTable
            label={t`Engines`}
            columns={columns}
            rows={data.engines}
            rowKey={({ id }) => id}
            onOpen={show}
          />
        </>
      )}
      {dialog}
    </div>
  )
}

/** The form of an engine, a new one without `engine`. */
function EngineForm({ engine }: { engine?: AdminEngine }) {
  const { t } = useLingui()
  const { client, admin } = trpc.useUtils()
  return (
    <FormDialog
      title={engine ? t`Edit the engine` : t`New engine`}
      description={t`Every process of the site uses it at once. Keys and passwords are stored encrypted, and never shown again.`}
      submit={engine ? t`Save` : t`Add the engine`}
      busy={t`Saving…`}
      outcome={engine ? t`The engine is changed.` : t`The engine is added.`}
      failed={t`The engine could not be changed. Try again in a moment.`}
      call={async (text) => {
        const { engines } = client.admin
        const entry = engineEntry(text, engine)
        const { id } = engine
          ? { id: engine.id, ...(await engines.update.mutate({ ...entry, id: engine.id })) }
          : await engines.create.mutate(entry)
        // The list has its state then.
        await engines.test.mutate({ id })
      }}
      onSettled={() => admin.engines.list.invalidate()}
    >
      <EngineFields {...(engine && { engine })} />
    </FormDialog>
  )
}

const accessLabels: Readonly<Record<Role, MessageDescriptor>> = {
  member: msg`Everyone`,
  moderator: msg`Moderators and administrators`,
  administrator: msg`Administrators`,
}

function useEngineColumns(isOnly: boolean): readonly Column<AdminEngine>[] {
  const { t, i18n } = useLingui()
  return [
    {
      title: t`Engine`,
      cell: ({ label, isDefault }) => (
        <span className="line">
          <UserText text={engineLabel(label, i18n)} className="name" />
          {isDefault && !isOnly && <Badge>{t({ message: 'Default', context: 'engine' })}</Badge>}
        </span>
      ),
    },
    { title: t({ message: 'State', context: 'engine' }), cell: (engine) => <EngineState {...engine} /> },
    { title: t`Running`, isNumber: true, cell: ({ running }) => i18n.number(running) },
    { title: t`Waiting`, isNumber: true, cell: ({ waiting }) => i18n.number(waiting) },
    { title: t`Who may use it`, cell: ({ access }) => i18n._(accessLabels[access]) },
    { title: t`Latest failure`, isText: true, cell: ({ failure }) => <LatestFailure failure={failure} /> },
  ]
}

export function EngineState({ isAvailable, isPaused }: { isAvailable: boolean; isPaused?: boolean }) {
  const { t } = useLingui()
  if (isPaused) return <Badge>{t({ message: 'Paused', context: 'engine' })}</Badge>
  return isAvailable ? (
    <Badge tone="accent">{t({ message: 'Available', context: 'engine' })}</Badge>
  ) : (
    <Badge tone="danger">{t({ message: 'Unavailable', context: 'engine' })}</Badge>
  )
}

export function LatestFailure({ failure }: Pick<AdminEngine, 'failure'>) {
  const { i18n } = useLingui()
  if (!failure) return '–'
  const reason = i18n._(failureLabel(failure.code))
  return (
    <span className="alarming">
      <Trans>
        {reason}, <DateTime at={failure.at} />
      </Trans>
    </span>
  )
}

/** An engine with what administrators may do. */
function EngineDrawer({ listed }: { listed: AdminEngine }) {
  const { t, i18n } = useLingui()
  const api = trpc.useUtils()
  const { list } = api.admin.engines
  const { update } = api.client.admin.engines
  const [leave, setLeave] = useState<string>()
  const engines = trpc.admin.engines.list.useQuery().data?.engines ?? []
  const engine = engines.find(({ id }) => id === listed.id) ?? listed
  const { id, model, isPaused, isDefault, issue, fixedBy } = engine
  const accessLabel = t`Who may use it`
  const failed = t`The engine could not be changed. Try again in a moment.`
  const { run, isBusy, failure } = useCall(failed, () => list.invalidate())
  const added = engines.filter(({ isAdded }) => isAdded)
  const place = added.findIndex((one) => one.id === id)

  const change = (patch: Omit<Parameters<typeof update.mutate>[0], 'id'>, outcome: string) =>
    run(async () => {
      // A load that began before would bring back the old state.
      await list.cancel()
      list.setData(undefined, await update.mutate({ id, ...patch }))
      void api.engines.list.invalidate()
    }, outcome)
  const test = () =>
    run(async () => {
      const { isAvailable } = await api.client.admin.engines.test.mutate({ id })
      toast(isAvailable ? t`The engine is available.` : t`The engine does not answer.`)
    })
  const pause = () => change({ isPaused: true }, t`The engine is paused.`)
  const resume = () => change({ isPaused: false }, t`The engine is resumed.`)
  const makeDefault = () => change({ isDefault: true }, t`The engine is offered first.`)
  const moveTo = (index: number) => change({ before: added[index]?.id ?? null }, t`The engine is moved.`)
  const removal = (
    <ConfirmCall
      title={<Sentence of={msg`Delete the engine ${engine.label}?`} />}
      description={t`Images that wait for it fail, and are not counted. Finished images stay.`}
      confirm={t`Delete`}
      outcome={t`The engine is deleted.`}
      failed={failed}
      call={() => completeDeletion(api.client.admin.engines.delete.mutate({ id }))}
      onSettled={() => list.invalidate()}
      onDone={() => setLeave('#add-engine')}
    />
  )

  return (
    <Drawer
      row={engine}
      columns={useEngineColumns(engines.length === 1).filter(({ title }) => title !== accessLabel)}
      facts={{
        [t`Reason`]: !engine.isAvailable && issue && (
          <span className="alarming">
            <Sentence of={msg`It does not answer: ${issue}`} />
          </span>
        ),
        [t`Model`]: model && <span dir="auto">{model}</span>,
        [t`Configuration`]: fixedBy && <FixedBy variable={fixedBy} />,
      }}
      actions={[
        ['test', t({ message: 'Test', context: 'engine' }), test],
        isPaused
          ? ['pause', t`Resume`, resume]
          : ['pause', t({ message: 'Pause', context: 'engine' }), pause],
        !isDefault && ['default', t`Make default`, makeDefault],
        place > 0 && ['up', t`Move up`, () => moveTo(place - 1)],
        place >= 0 && place < added.length - 1 && ['down', t`Move down`, () => moveTo(place + 2)],
        engine.isAdded &&
          engine.kind !== null && ['edit', t`Edit`, <EngineForm key="edit" engine={engine} />],
        engine.isAdded && ['delete', t`Delete`, removal],
      ]}
      notice={<Notice>{failure?.message}</Notice>}
      isBusy={isBusy}
      leave={leave}
    >
      <SelectField
        label={accessLabel}
        value={engine.access}
        options={roles.map((role) => [role, i18n._(accessLabels[role])])}
        onChange={({ target }) => {
          const access = roles.find((role) => role === target.value)
          if (access) change({ access }, t`The access to the engine is changed.`)
        }}
      />
    </Drawer>
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
