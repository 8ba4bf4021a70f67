import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'
import type { Engine } from '../../../shared/engines.ts'
import { engineLabel } from '../../images/image.tsx'
import { countMax } from '../../../shared/limits.ts'
import { trpc } from '../../api/trpc.ts'
import { QueryState } from '../auth/call-failure.tsx'
import { readStored, store } from '../../browser/apis.ts'
import { Button } from '../../ui/button.tsx'
import { Fieldset, SelectField, TextArea, TextField } from '../../ui/form.tsx'
import { UnfoldIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { defaultOptions, describeOptions, parseSeed } from './form-options.ts'
import { LoraOptions, ParameterOptions } from './parameter-options.tsx'
import styles from './options.module.css'
import { ImageFileButton } from '../../ui/image-file.tsx'
import { ClearButton, ReferenceOptions } from './reference-options.tsx'
import { ChoiceChip, SizeOptions } from './size-options.tsx'
import { useCreation } from './use-creation.ts'

const storageKey = 'createOptions'

/** Everything about a generation beyond its prompt, closed at first, with a line of what differs from the defaults. */
export function Options() {
  const { i18n, t } = useLingui()
  const creation = useCreation()
  const { engine, engines } = creation
  const { options } = creation.draft
  const engineQuery = trpc.engines.list.useQuery()
  const id = useId()
  const [isOpen, setIsOpen] = useState(() => readStored('localStorage', storageKey) === 'open')
  const summary = describeOptions(i18n, options, engines)
  const toggleButton = useRef<HTMLButtonElement>(null)

  function toggle() {
    store('localStorage', storageKey, isOpen ? null : 'open')
    setIsOpen(!isOpen)
  }

  return (
    <div>
      <div className={`row centered ${styles['line']}`}>
        <button
          ref={toggleButton}
          type="button"
          className={`textButton ${styles['toggle']}`}
          aria-expanded={isOpen}
          aria-controls={`${id}-panel`}
          aria-describedby={summary ? `${id}-summary` : undefined}
          onClick={toggle}
        >
          <UnfoldIcon className="foldArrow" />
          <Trans>Options</Trans>
        </button>
        {summary && (
          <p id={`${id}-summary`} className="quiet small tabular breakable">
            {summary}
          </p>
        )}
      </div>
      <div id={`${id}-panel`} hidden={!isOpen} className={`card ${styles['panel']}`}>
        {isOpen && engine && (
          <>
            <EngineChoice engine={engine} />
            {/* Inputs in the middle of a change start again with another engine. */}
            <EngineOptions key={engine.id} engine={engine} />
          </>
        )}
        {isOpen && !engine && (
          <QueryState
            query={engineQuery}
            failed={t`The options could not be loaded. Generate uses the defaults.`}
            placeholder={<Skeleton shape="control" />}
          />
        )}
        <Notice>
          {isOpen &&
            engineQuery.data?.engines.length === 0 &&
            t`You may not use any image engine of this site at present.`}
        </Notice>
        {isOpen && (
          <div className={`row ${styles['end']} ${styles['wide']}`}>
            <ImageFileButton
              label={t`Image with settings`}
              aria-describedby={`${id}-import`}
              onFile={(file) => void creation.importFile(file)}
            >
              <Trans>Import settings</Trans>
            </ImageFileButton>
            {summary && (
              <Button
                onClick={() => {
                  creation.changeOptions({ ...defaultOptions, remix: options.remix })
                  // This button disappears.
                  toggleButton.current?.focus()
                }}
              >
                <Trans>Reset options</Trans>
              </Button>
            )}
            <p id={`${id}-import`} className="quiet small">
              <Trans>
                Settings are read from an image of this site, AUTOMATIC1111, ComfyUI, InvokeAI or SwarmUI.
                Choose it, or drop it on the form; it is not uploaded.
              </Trans>
            </p>
          </div>
        )}
      </div>
    </div>
  )
}

function EngineChoice({ engine }: { engine: Engine }) {
  const { i18n, t } = useLingui()
  const { changeOptions, engines } = useCreation()
  if (engines.length < 2) return null
  return (
    <SelectField
      label={t`Engine`}
      hint={
        engine.kind === 'rangoli' &&
        t`Draws patterns from the words of the prompt. They are not made by a model.`
      }
      error={
        engine.isAvailable
          ? undefined
          : engine.isPaused
            ? t`This engine is paused. Choose another one.`
            : t`This engine is unavailable right now. Choose another one.`
      }
      value={engine.id}
      options={engines.map(({ id, isAvailable, isPaused, ...one }) => {
        const label = engineLabel(one.label, i18n)
        const shown = isAvailable ? label : isPaused ? t`${label} (paused)` : t`${label} (unavailable)`
        return [id, shown, !isAvailable] as const
      })}
      onChange={(event) => changeOptions({ engine: event.target.value })}
    />
  )
}

function EngineOptions({ engine }: { engine: Engine }) {
  const { t } = useLingui()
  const { changeOptions: onChange, accepted, details, draft } = useCreation()
  const seedId = useId()
  const { options } = draft
  const { models } = engine
  if (!details) return null
  const { capabilities, parameters } = details
  return (
    <>
      {models.length > 1 && (
        <SelectField
          label={t`Model`}
          value={accepted.model ?? models[0]}
          options={models.map((model) => [model, model])}
          onChange={(event) => onChange({ model: event.target.value })}
        />
      )}
      {capabilities.sizes.length > 0 && <SizeOptions capabilities={capabilities} />}
      <CountOption />
      {capabilities.seed && (
        <TextField
          id={seedId}
          label={t`Seed`}
          hint={
            engine.kind === 'rangoli'
              ? t`Empty: the same prompt gives the same pattern. Each seed draws it differently.`
              : t`Empty: random. The same seed with the same settings gives the same image.`
          }
          action={
            options.seed !== null && (
              <ClearButton fieldId={seedId} onClear={() => onChange({ seed: null })}>{t`Clear`}</ClearButton>
            )
          }
          inputMode="numeric"
          autoComplete="off"
          placeholder={
            engine.kind === 'rangoli'
              ? t({ message: 'None', comment: 'No seed' })
              : t({ message: 'Random', comment: 'A random seed' })
          }
          value={options.seed ?? ''}
          onChange={({ target: { value } }) => {
            const seed = parseSeed(value)
            if (seed !== null || value === '') onChange({ seed })
          }}
        />
      )}
      {capabilities.negativePrompt && (
        <TextArea
          label={t`Negative prompt`}
          hint={t`What the image should not show.`}
          rows={2}
          value={options.negativePrompt}
          onChange={(event) => onChange({ negativePrompt: event.target.value })}
        />
      )}
      {capabilities.referenceImages > 0 && <ReferenceOptions capabilities={capabilities} />}
      {capabilities.loras.length > 0 && <LoraOptions names={capabilities.loras} />}
      <ParameterOptions parameters={parameters} />
    </>
  )
}

function CountOption() {
  const { t } = useLingui()
  const { draft, left, changeOptions } = useCreation()
  const most = Math.max(left ?? countMax, 1)
  return (
    <Fieldset
      legend={<Trans>Number of images</Trans>}
      hint={
        left === null
          ? t`Each image counts.`
          : t`${plural(left, { one: 'Each image counts: # left today.', other: 'Each image counts: # left today.' })}`
      }
    >
      <div className="row">
        {Array.from({ length: countMax }, (_, index) => index + 1).map((number) => (
          <ChoiceChip
            key={number}
            name="count"
            checked={number === Math.min(draft.options.count, most)}
            // One stays possible: Generate then says why it is not.
            disabled={number > most}
            onChange={() => changeOptions({ count: number })}
          >
            {number}
          </ChoiceChip>
        ))}
      </div>
    </Fieldset>
  )
}
