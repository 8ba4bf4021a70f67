import { Dialog } from '@base-ui/react/dialog'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useContext, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { Engine } from '../../../../shared/engines.ts'
import type { SucceededImage } from '../../../../shared/images.ts'
import { hasModifier, isTyping, pressShortcut } from '../../../browser/apis.ts'
import { useCloseOnBack } from '../../../browser/page-history.ts'
import viewer from '../../../images/image-viewer.module.css'
import { useScrollLock } from '../../../images/image-viewer.tsx'
import { averageColor } from '../../../images/image.tsx'
import { toast } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { Fieldset, TextField } from '../../../ui/form.tsx'
import { CloseIcon, Icon } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ClosedContext } from '../../../ui/use-dialog.tsx'
import { elementIds, focusPrompt } from '../element-ids.ts'
import { toReference } from '../form-options.ts'
import { ActionButton } from '../image-actions.tsx'
import { useCreation } from '../use-creation.ts'
import { useUpload } from '../use-own-images.ts'
import {
  extend,
  extendedFile,
  extendedSize,
  mapSides,
  marginsOf,
  maskFile,
  nearestSize,
  sides,
  type Margins,
  type Side,
  type Step,
} from './mask.ts'
import { MaskStage, type Tool } from './mask-stage.tsx'
import styles from './mask-editor.module.css'

/** In pixels of the screen. Browsers show no larger cursors. */
const brushSizes = { min: 4, max: 126 }

/** All steps, and the number of those that are not undone. */
interface History {
  readonly all: readonly Step[]
  readonly done: number
}

/** History of the image edited last, by image id. The editor closes on Escape and Back without asking. */
const lastEdited = new Map<string, History>()

/**
 * Marks the part of an image that is to change, or extends the image, over the page. Then the form has the image as its
 * reference, and the mask.
 *
 * @param props.engine takes masks
 */
export function MaskEditor({ image, engine }: { image: SucceededImage; engine: Engine }) {
  const { t } = useLingui()
  const creation = useCreation()
  const { capabilities } = engine
  const { width, height } = image
  const [open, setOpen] = useState(true)
  const [{ all, done }, setHistory] = useState(lastEdited.get(image.id) ?? { all: [], done: 0 })
  const [tool, setTool] = useState<Tool>('brush')
  const [brush, setBrush] = useState(48)
  const [status, setStatus] = useState('')
  const isTaken = useRef(false)
  const isClosed = useRef(false)
  const forget = useContext(ClosedContext)
  const { upload, failure } = useUpload(true)
  useCloseOnBack(open, close)
  useScrollLock(open)
  const steps = useMemo(() => all.slice(0, done), [all, done])
  const margins = marginsOf(steps)
  const marks = steps.slice(steps.findLastIndex(({ kind }) => kind === 'clear') + 1)
  const isEmpty = sides.every((side) => margins[side] === 0) && marks.every(({ kind }) => kind === 'extend')

  function close() {
    isClosed.current = true
    setOpen(false)
  }

  function change(history: History) {
    lastEdited.clear()
    lastEdited.set(image.id, history)
    setHistory(history)
  }

  /** @param begun null for none: what was begun was not meant */
  function add(before: readonly Step[], begun: Step | null) {
    // No step counts, and none stays painted, while the mask is being made.
    const step = finish.isPending ? null : begun
    const now = step ? [...before, step] : before
    change({ all: now, done: now.length })
    if (!step) return
    const size = extendedSize(image, marginsOf(now))
    const messages: Record<Step['kind'], string> = {
      stroke: step.kind === 'stroke' && step.erases ? t`Erased.` : t`Painted.`,
      rectangle: t`Rectangle added.`,
      invert: t`Mask inverted.`,
      clear: t`Mask cleared.`,
      extend: t`The image is ${size.width} × ${size.height} pixels now.`,
    }
    setStatus(messages[step.kind])
  }

  function travel(by: 1 | -1) {
    if (finish.isPending || done + by < 0 || done + by > all.length) return
    change({ all, done: done + by })
    setStatus(by < 0 ? t`Undone.` : t`Redone.`)
  }

  function resizeBrush(factor: number) {
    setBrush((size) => Math.round(Math.min(brushSizes.max, Math.max(brushSizes.min, size * factor))))
  }

  function onKeyDown({ nativeEvent: event, currentTarget }: KeyboardEvent) {
    const { key, target } = event
    if (isTyping(target)) return
    if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(key)) {
      event.preventDefault()
      travel(event.shiftKey || key.toLowerCase() === 'y' ? 1 : -1)
    } else if (hasModifier(event)) return
    else if (key === '[' || key === ']') resizeBrush(key === ']' ? 1.2 : 1 / 1.2)
    else pressShortcut(currentTarget, key)
  }

  const finish = useMutation({
    async mutationFn() {
      const extended = await extendedFile(image, margins)
      const reference = extended ? await upload(extended) : image
      const mask = reference && !isClosed.current && (await upload(await maskFile(image, steps)))
      if (!mask || isClosed.current) return
      const size = nearestSize(reference, capabilities)
      const references = [toReference(reference)]
      creation.changeOptions({ engine: engine.id, size, references, mask: toReference(mask) })
      isTaken.current = true
      setOpen(false)
    },
    onError: (cause) => console.error('could not prepare a mask', cause),
  })

  function onClosed() {
    forget()
    if (!isTaken.current) return
    creation.openForm()
    focusPrompt()
    toast(t`Describe the change, then generate.`)
  }

  const tools: readonly (readonly [Tool, label: string, key: string, path: string])[] = [
    ['brush', t`Brush`, 'B', 'M17 3 9 11M8 11c-2-.5-3.5 1-3.5 3 0 1-1 1.5-2 1.5 3 1.5 6.5.5 7-2.5'],
    ['eraser', t`Eraser`, 'E', 'M8 16l-4.5-4.5 8-8 5 5L9 16H8zM7 8l5 5M9 16h7.5'],
    ['rectangle', t`Rectangle`, 'R', 'M3.5 5h13v10h-13z'],
    ['extend', t`Extend`, 'X', 'M7 7h6v6H7zM10 4V1.5M10 18.5V16M4 10H1.5M18.5 10H16'],
    ['move', t`Move`, 'M', 'M10 2v16M2 10h16M8 4l2-2 2 2M8 16l2 2 2-2M4 8l-2 2 2 2M16 8l2 2-2 2'],
  ]
  return (
    <Dialog.Root
      open={open}
      modal="trap-focus"
      disablePointerDismissal
      onOpenChange={(isOpen) => !isOpen && close()}
      onOpenChangeComplete={(isOpen) => !isOpen && onClosed()}
    >
      <Dialog.Portal>
        <Dialog.Popup
          className={`fading ${viewer['popup']} ${styles['editor']}`}
          data-panel
          style={{ '--average': averageColor(image.placeholder) } as object}
          finalFocus={() => (isTaken.current && document.getElementById(elementIds.prompt)) || true}
          onKeyDown={onKeyDown}
        >
          <div className={viewer['stage']}>
            <div className={viewer['bar']}>
              <Dialog.Title className={`strong ${viewer['caption']}`}>{t`Change part of it`}</Dialog.Title>
              <Dialog.Close className="iconButton" aria-label={t`Close`}>
                <CloseIcon />
              </Dialog.Close>
            </div>
            <MaskStage
              image={image}
              steps={steps}
              tool={tool}
              brush={brush}
              capabilities={capabilities}
              onStep={add}
              onWheel={(event) => {
                event.preventDefault()
                resizeBrush(event.deltaY < 0 ? 1.1 : 1 / 1.1)
              }}
            />
          </div>
          <div className={viewer['panel']}>
            <div className="stack">
              <div className="row tightest">
                {tools.map(([value, label, key, path]) => (
                  <ActionButton
                    key={value}
                    label={label}
                    aria-pressed={tool === value}
                    aria-keyshortcuts={key}
                    onClick={() => setTool(value)}
                  >
                    <Icon path={path} />
                  </ActionButton>
                ))}
                <ActionButton label={t`Undo`} aria-disabled={done === 0} onClick={() => travel(-1)}>
                  <Icon path="M7 4 3.5 7.5 7 11M4 7.5h7.5a4 4 0 0 1 0 8H8" />
                </ActionButton>
                <ActionButton label={t`Redo`} aria-disabled={done === all.length} onClick={() => travel(1)}>
                  <Icon path="M13 4l3.5 3.5L13 11M16 7.5H8.5a4 4 0 0 0 0 8H12" />
                </ActionButton>
              </div>
              <div className="beside">
                <input
                  type="range"
                  aria-label={t`Size of the brush`}
                  {...brushSizes}
                  value={brush}
                  onChange={(event) => setBrush(event.target.valueAsNumber)}
                />
                <Button
                  variant="primary"
                  isBusy={finish.isPending}
                  aria-disabled={isEmpty}
                  onClick={() => finish.mutate()}
                >
                  {finish.isPending ? t`Uploading…` : t`Done`}
                </Button>
              </div>
              <p role="status" className="quiet small">
                {status || t`What is colored is drawn again, as you then describe it. The rest stays.`}
              </p>
              <Notice>{finish.error ? t`The image could not be prepared. Try again.` : failure}</Notice>
              {tool === 'rectangle' && (
                <SideFields
                  legend={t`Rectangle: pixels from each side`}
                  values={{ left: width / 4, right: width / 4, top: height / 4, bottom: height / 4 }}
                  action={t`Add rectangle`}
                  onSubmit={({ left, right, top, bottom }) => {
                    const end = [width - right, height - bottom] as const
                    add(steps, { kind: 'rectangle', corners: [[left, top], end] })
                  }}
                />
              )}
              {tool === 'extend' && (
                <SideFields
                  legend={t`New pixels on each side`}
                  values={margins}
                  action={t`Extend`}
                  onSubmit={(values) =>
                    add(steps, { kind: 'extend', margins: extend(values, image, capabilities) })
                  }
                />
              )}
              <div className="row">
                <Button onClick={() => add(steps, { kind: 'invert' })}>
                  <Trans comment="Button that swaps what changes and what stays">Invert</Trans>
                </Button>
                <Button onClick={() => add(steps, { kind: 'clear' })}>{t`Clear`}</Button>
              </div>
            </div>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Fields for a number of pixels at each side. */
function SideFields(props: {
  legend: string
  values: Margins
  action: string
  onSubmit: (values: Margins) => void
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState<Partial<Record<Side, string>>>({})
  const labels = { left: t`Left`, right: t`Right`, top: t`Top`, bottom: t`Bottom` }
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        props.onSubmit(mapSides((side) => Number(typed[side] ?? props.values[side])))
        setTyped({})
      }}
    >
      <Fieldset legend={props.legend} className={styles['sides'] ?? ''}>
        {sides.map((side) => (
          <TextField
            key={side}
            label={labels[side]}
            type="number"
            min={0}
            required
            value={typed[side] ?? Math.round(props.values[side])}
            onChange={(event) => setTyped({ ...typed, [side]: event.target.value })}
          />
        ))}
      </Fieldset>
      <Button type="submit">{props.action}</Button>
    </form>
  )
}
