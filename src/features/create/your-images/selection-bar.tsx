import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isSucceeded, type ListedImage, type OwnPost } from '../../../../shared/images.ts'
import { visibilities, type Visibility } from '../../../../shared/posts.ts'
import { reloadLists } from '../../../api/post-changes.ts'
import { useSite } from '../../../api/site.tsx'
import { trpc } from '../../../api/trpc.ts'
import { saveFile } from '../../../browser/apis.ts'
import { useCancelable } from '../../../browser/use-cancelable.ts'
import { archiveName, archiveOf, fetchIfPossible } from '../../../images/archive.ts'
import { toast } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { RadioGroup } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useVisibilityOptions } from '../../../ui/post-options.ts'
import { useDialog } from '../../../ui/use-dialog.tsx'
import { CallError, useCall } from '../../auth/call-failure.tsx'
import { ConfirmCall, FormDialog } from '../../auth/call-form.tsx'
import { AddToCollection } from '../../post/post-menu.tsx'
import type { ImageList } from '../use-own-images.ts'
import { describeDeletion, inBatches, useDeleteImages, type BatchOptions } from './deletion.tsx'
import styles from './selection-bar.module.css'

const noImages: ReadonlyMap<string, ListedImage> = new Map()

/**
 * Keeps the images that are selected, of which some may not be on the screen.
 *
 * @param list names the list, with which the selection ends
 * @param readLoaded returns the images that are loaded, in their order
 */
export function useSelection(list: string, readLoaded: () => readonly ListedImage[]) {
  /** Null while no images are being selected. */
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedImage> | null>(null)
  const [knownList, setKnownList] = useState(list)
  if (list !== knownList) {
    setKnownList(list)
    setSelected(null)
  }
  const images = selected ?? noImages
  const lastChanged = useRef<string | null>(null)
  const select = (chosen: readonly ListedImage[]) =>
    setSelected(new Map(chosen.map((image) => [image.id, image])))

  /**
   * Selects or deselects an image, which begins a selection.
   *
   * @param isRange true to do the same with all images up to the one that was changed before
   */
  function toggle(image: ListedImage, isRange: boolean) {
    const loaded = readLoaded()
    const changed = new Map(images)
    const ends = [lastChanged.current ?? image.id, image.id].map((id) =>
      loaded.findIndex((one) => one.id === id),
    )
    const isKnown = isRange && !ends.includes(-1)
    const range = isKnown
      ? loaded.slice(Math.min(...ends), Math.max(...ends) + 1).filter(isSelectable)
      : [image]
    for (const one of range) {
      if (images.has(image.id)) changed.delete(one.id)
      else changed.set(one.id, one)
    }
    lastChanged.current = image.id
    setSelected(changed)
  }

  return {
    images,
    /** True while images are being selected: a press anywhere on one selects it. */
    isActive: selected !== null,
    toggle,
    select,
    end() {
      setSelected(null)
      lastChanged.current = null
    },
    /** Leaves out an image that is deleted. */
    drop: (id: string) => setSelected((known) => known && new Map([...known].filter(([one]) => one !== id))),
  }
}

/** The selected images by their ids, and how they change. */
export type Selection = ReturnType<typeof useSelection>

/** Reports whether there is something to do with an image. */
export function isSelectable({ state }: ListedImage): boolean {
  return state === 'succeeded' || state === 'failed'
}

/** Number of images that are loaded at once in order to select them. */
const allPageSize = 500

/** Actions on the selected images, at the bottom of the window. */
export function SelectionBar(props: {
  selection: Selection
  /** The list that they are of, and the number of its images that can be selected. */
  list: ImageList
  total: number
}) {
  const { i18n, t } = useLingui()
  const { total } = props
  const { select, drop } = props.selection
  const images = [...props.selection.images.values()]
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const { name: siteName } = useSite()
  const bar = useRef<HTMLDivElement>(null)
  const { task, failure, run, cancel } = useTask()
  const deleteImages = useDeleteImages(drop)
  const [dialog, openDialog] = useDialog()
  const isRunning = task !== null
  const wasRunning = useRef(isRunning)
  useEffect(() => {
    // The focused button was replaced.
    if (wasRunning.current !== isRunning && document.activeElement === document.body) bar.current?.focus()
    wasRunning.current = isRunning
  }, [isRunning])
  const isEmpty = images.length === 0
  const downloadable = images.filter(isSucceeded)
  const shared = images.filter(({ posts, isHidden }) => posts.length > 0 && !isHidden)

  const allCount = i18n.number(total)
  const label = task?.label
  const done = i18n.number(task?.done ?? 0)
  const all = i18n.number(task?.total ?? 0)

  const selectAll = () =>
    run(t`Selecting`, total, async ({ signal, progress }) => {
      const loaded: ListedImage[] = []
      for (let cursor: string | null | undefined; cursor !== null && !signal.aborted;) {
        const page = await api.client.images.list.query({ ...props.list, cursor, limit: allPageSize })
        loaded.push(...page.images.filter(isSelectable))
        progress(loaded.length)
        cursor = page.nextCursor
      }
      if (!signal.aborted) select(loaded)
    })

  const confirmDeletion = () =>
    openDialog(
      <ConfirmCall
        title={t`${plural({ count: images.length }, { one: 'Delete # image?', other: 'Delete # images?' })}`}
        description={describeDeletion(images, i18n)}
        confirm={t`Delete`}
        cancel={images.length === 1 ? t`Keep it` : t`Keep them`}
        // The bar shows the progress.
        call={async () => run(t`Deleting`, images.length, (running) => deleteImages(images, running))}
      />,
    )

  const posts = shared.flatMap((image) => image.posts)
  const [common, ...others] = new Set(posts.map((post) => post.visibility))
  const visibilityOptions = useVisibilityOptions()
  const chooseVisibility = () =>
    openDialog(
      <FormDialog
        title={t`${plural({ count: posts.length }, { one: 'Who can see the post?', other: 'Who can see the # posts?' })}`}
        description={t`The link of a post stays the same.`}
        submit={t`Save`}
        call={async (text) => {
          const visibility = visibilities.find((one) => one === text('visibility'))
          if (visibility) changeVisibility(visibility)
        }}
      >
        <RadioGroup
          legend={t`Visibility`}
          name="visibility"
          defaultValue={(others.length === 0 && common) || 'public'}
          options={visibilityOptions}
        />
      </FormDialog>,
    )

  function changeVisibility(visibility: Visibility) {
    const changing = posts.filter((post) => post.visibility !== visibility)
    if (changing.length === 0) return
    run(t`Changing posts`, changing.length, async (running) => {
      let count = 0
      const change = async ({ id }: OwnPost) => {
        await api.client.posts.update.mutate({ id, visibility })
        count += 1
      }
      try {
        await inBatches(changing, change, running)
      } finally {
        reloadLists(queryClient)
        await api.images.invalidate()
      }
      const sentences = {
        public: t`${plural(count, { one: '# post is public now.', other: '# posts are public now.' })}`,
        unlisted: t`${plural(count, { one: '# post is unlisted now.', other: '# posts are unlisted now.' })}`,
        private: t`${plural(count, { one: '# post is private now.', other: '# posts are private now.' })}`,
      }
      toast(sentences[visibility])
    })
  }

  const download = () =>
    run(t`Downloading`, downloadable.length, async ({ signal, progress }) => {
      let missing = 0
      async function* files() {
        for (const [index, { id, createdAt }] of downloadable.entries()) {
          const input = await fetchIfPossible(`/api/images/${id}/download`, signal)
          if (input) yield { name: `download-${id}.jpg`, lastModified: new Date(createdAt), input }
          else missing += 1
          progress(index + 1)
        }
      }
      const archive = await archiveOf(files(), signal)
      const count = downloadable.length
      if (missing < count) saveFile(archive, archiveName(siteName, 'images', new Date()))
      const missed = i18n.number(missing)
      const message = t`${missed} of ${plural(count, { one: '# image', other: '# images' })} could not be fetched. Try again later.`
      if (missing > 0) throw new CallError(() => ({ message }))
      toast(t`${plural(count, { one: '# image in your downloads.', other: '# images in your downloads.' })}`)
    })

  function addToCollection() {
    if (posts.length === 0) return toast(t`Only shared images can be added. Share them first.`)
    if (shared.length < images.length) toast(t`Only the shared images are added.`)
    openDialog(<AddToCollection postIds={posts.map(({ id }) => id)} />)
  }

  return (
    <div
      ref={bar}
      role="group"
      aria-label={t`Selected images`}
      tabIndex={-1}
      className={`row centered card raised ${styles['bar']}`}
    >
      {task ? (
        <>
          <div className={`row centered tabular ${styles['task']}`}>
            <progress aria-label={task.label} value={task.done} max={task.total} />
            <span>{t({ message: `${label}: ${done} of ${all}`, comment: 'label: such as "Deleting"' })}</span>
          </div>
          <Button onClick={cancel}>{t`Cancel`}</Button>
        </>
      ) : (
        <>
          <p
            role="status"
            className={`strong tabular ${styles['count']}`}
          >{t`${plural({ count: images.length }, { one: '# selected', other: '# selected' })}`}</p>
          {images.length < total ? (
            <Button onClick={selectAll}>{t`Select all ${allCount}`}</Button>
          ) : (
            <Button onClick={() => select([])}>{t`Select none`}</Button>
          )}
          <div className={`row ${styles['actions']}`}>
            <Button aria-disabled={downloadable.length === 0} onClick={download}>
              <Trans>Download</Trans>
            </Button>
            <Button aria-disabled={shared.length === 0} onClick={chooseVisibility}>{t`Visibility`}</Button>
            <Button aria-disabled={isEmpty} onClick={addToCollection}>{t`Add to collection`}</Button>
            <Button variant={isEmpty ? 'plain' : 'danger'} aria-disabled={isEmpty} onClick={confirmDeletion}>
              <Trans>Delete</Trans>
            </Button>
          </div>
        </>
      )}
      <Notice>{failure}</Notice>
      {dialog}
    </div>
  )
}

/** Runs one task at a time, whose progress is shown. Its failure is shown unless it was canceled. */
function useTask() {
  const { t } = useLingui()
  const { run: call, isBusy, failure } = useCall(t`This did not work. Try again in a moment.`)
  /** What is being done, such as `Deleting`, or was done last. */
  const [task, setTask] = useState({ label: '', done: 0, total: 0 })
  const { begin, cancel } = useCancelable()
  const run = (label: string, total: number, work: (running: Required<BatchOptions>) => Promise<void>) =>
    call(async () => {
      const signal = begin()
      const progress = (done: number) => setTask({ label, done, total })
      progress(0)
      await work({ signal, progress }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    })
  return { task: isBusy ? task : null, failure: failure?.message, run, cancel }
}
