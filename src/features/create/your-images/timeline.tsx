import type { I18n } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import type { ListedImage } from '../../../../shared/images.ts'
import { useWindowEvent } from '../../../browser/use-window-event.ts'
import { RetryButton } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/loading.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useOwnImages, type Section } from '../use-own-images.ts'
import { moveBetweenImages, OwnImageViewer, useDeletion } from './own-image-viewer.tsx'
import { ImageTile } from './image-tile.tsx'
import type { Selection } from './selection-bar.tsx'
import styles from './timeline.module.css'

/** Width of a tile, at least, and columns, at least, in pixels. */
const minTile = 170
const minColumns = 3
const gap = 4

/** Rows of a grid that are rendered, those within a screen of the viewport. */
type Rows = readonly [from: number, to: number]

interface Layout {
  readonly columns: number
  /** Height of a row with the gap below it, in pixels. */
  readonly rowHeight: number
  /** Rendered rows by the index of their section. */
  readonly rows: Readonly<Record<number, Rows>>
}

/**
 * A user's images by month. The numbers of months give the height of the whole list, so that every month is there to be scrolled
 * to, and loads then.
 */
export function Timeline(props: {
  sections: readonly Section[]
  total: number
  /** Null in the trash. */
  selection: Selection | null
}) {
  const { sections, total, selection } = props
  const isTrash = selection === null
  const list = useRef<HTMLDivElement>(null)
  const layout = useLayout(list)
  const [open, setOpen] = useState<{ readonly section: number; readonly id: string } | null>(null)
  const [dialog, confirmDeletion] = useDeletion(isTrash)
  return (
    <div className={styles['timeline']}>
      <div
        ref={list}
        role="presentation"
        className={`stack ${styles['sections']}`}
        style={{ '--columns': layout.columns, '--gap': `${gap}px`, '--tile': '0px' } as object}
        onKeyDown={moveBetweenImages}
      >
        {sections.map((section, index) => (
          <SectionImages
            key={section.month ?? ''}
            selection={selection}
            section={section}
            index={index}
            layout={layout}
            onOpen={(id) => setOpen({ section: index, id })}
            onDelete={confirmDeletion}
          />
        ))}
      </div>
      {sections.length > 1 && <Scrubber list={list} sections={sections} />}
      {open && (
        <OwnImageViewer
          isTrash={isTrash}
          sections={sections}
          total={total}
          open={open}
          onShow={(section, id) => setOpen({ section, id })}
          onClosed={() => setOpen(null)}
        />
      )}
      {dialog}
    </div>
  )
}

interface SectionProps {
  readonly selection: Selection | null
  readonly section: Section
  readonly index: number
  readonly layout: Layout
  readonly onOpen: (id: string) => void
  readonly onDelete: (image: ListedImage) => void
}

/** A month with its heading. */
function SectionImages({ section, index, layout, onOpen, onDelete, selection }: SectionProps) {
  const { i18n, t } = useLingui()
  const { columns, rowHeight } = layout
  const rows = layout.rows[index]
  const own = useOwnImages(rows ? section.list : null)
  const { listed, hasMore, isLoadingMore, loadMore } = own
  const count = own.images && !hasMore ? listed.length : (own.total ?? section.count)
  const [from, to] = rows ? [rows[0] * columns, Math.min(rows[1] * columns, count)] : [0, 0]
  const isMissing = rows !== undefined && hasMore && !isLoadingMore && !own.failure && listed.length < to
  useEffect(() => {
    if (isMissing) void loadMore()
  })
  const name = section.month && monthName(section.month, i18n)
  const number = i18n.number(count)
  return (
    <section className={styles['section']}>
      {name !== null && (
        <h2 className={`ends ${styles['month']}`}>
          {name} <span className="quiet small tabular">{number}</span>
        </h2>
      )}
      <ul
        data-section={index}
        aria-label={name ?? t`Your images`}
        className={styles['grid']}
        style={{
          height: Math.max(0, Math.ceil(count / columns) * rowHeight - gap),
          paddingBlockStart: (rows?.[0] ?? 0) * rowHeight,
        }}
      >
        {Array.from({ length: to - from }, (_, offset) => {
          const image = listed[from + offset]
          return image ? (
            <ImageTile
              key={image.id}
              image={image}
              place={[from + offset + 1, count]}
              selection={selection}
              onOpen={() => onOpen(image.id)}
              onDelete={() => onDelete(image)}
            />
          ) : (
            <li key={from + offset} aria-hidden="true">
              <Skeleton shape="square" />
            </li>
          )
        })}
      </ul>
      <Notice action={<RetryButton onClick={own.retry} />}>{own.failure}</Notice>
    </section>
  )
}

/** Measures the columns, and finds the rows within a screen of the viewport, while the page scrolls and changes. */
function useLayout(list: RefObject<HTMLElement | null>): Layout {
  const [layout, setLayout] = useState<Layout>({ columns: minColumns, rowHeight: minTile, rows: {} })
  useMeasurement(list, () => {
    const width = list.current?.clientWidth ?? 0
    if (width === 0) return
    const columns = Math.max(minColumns, Math.floor((width + gap) / (minTile + gap)))
    const rowHeight = (width + gap) / columns
    const rows: Record<number, Rows> = {}
    for (const grid of list.current?.querySelectorAll<HTMLElement>('[data-section]') ?? []) {
      const { top, bottom } = grid.getBoundingClientRect()
      if (bottom < -innerHeight || top > 2 * innerHeight) continue
      const first = Math.max(0, Math.floor((-top - innerHeight) / rowHeight))
      rows[Number(grid.dataset['section'])] = [first, Math.ceil((2 * innerHeight - top) / rowHeight)]
    }
    const next = { columns, rowHeight, rows }
    setLayout((known) => (JSON.stringify(known) === JSON.stringify(next) ? known : next))
  })
  return layout
}

/** Calls `measure` at first, and when the page scrolls or the list changes its size. */
function useMeasurement(list: RefObject<HTMLElement | null>, measure: () => void): void {
  const update = useEffectEvent(measure)
  useEffect(() => {
    const resizes = new ResizeObserver(() => update())
    if (list.current) resizes.observe(list.current)
    return () => resizes.disconnect()
  }, [list])
  useWindowEvent('scroll', measure)
}

function monthName(month: string, i18n: I18n): string {
  return i18n.date(month, { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** Part of the line that a year takes at least. */
const yearPart = 0.04

/** Months on a line at the edge of the window: a press, a drag or a key scrolls there. */
function Scrubber({ list, sections }: { list: RefObject<HTMLElement | null>; sections: readonly Section[] }) {
  const { i18n, t } = useLingui()
  const [place, setPlace] = useState({ section: 0, part: 0 })
  const [years, setYears] = useState<readonly { year: string; part: number }[]>([])
  /** The place that was scrolled to: the page may end before the last months get to its top. */
  const chosen = useRef({ ...place, scrollY: 0 })
  useMeasurement(list, () => {
    const parts = partsOf(list.current)
    const part = partAt(list.current, edgeOf(list.current) + 1)
    const isChosen = chosen.current.scrollY === scrollY && chosen.current.section < sections.length
    setPlace(isChosen ? chosen.current : { section: sectionAt(parts, part), part })
    const spaced: { year: string; part: number }[] = []
    for (const [index, { month }] of sections.entries()) {
      const [year = '', start = 0] = [month?.slice(0, 4), parts[index]]
      const isNew = year !== sections[index - 1]?.month?.slice(0, 4)
      if (isNew && start - (spaced.at(-1)?.part ?? -1) > yearPart) spaced.push({ year, part: start })
    }
    setYears(spaced)
  })

  // Not scrollIntoView, which would leave room for a sticky search, too.
  function goTo(part: number) {
    const element = list.current
    if (!element) return
    const { top, height } = element.getBoundingClientRect()
    window.scrollBy({ top: top + part * height - edgeOf(element), behavior: 'instant' })
    const section = sectionAt(partsOf(element), part)
    chosen.current = { section, part, scrollY }
    setPlace(chosen.current)
  }
  const goToSection = (index: number) =>
    goTo(partsOf(list.current)[Math.min(sections.length - 1, Math.max(0, index))] ?? 0)

  function onKeyDown(event: KeyboardEvent) {
    const { section } = place
    const target = {
      ArrowDown: section + 1,
      ArrowUp: section - 1,
      PageDown: section + 12,
      PageUp: section - 12,
      Home: 0,
      End: sections.length - 1,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    event.stopPropagation()
    goToSection(target)
  }

  /** Scrolls to the part of the list under the pointer; a press beside the thumb to the start of its month. */
  function follow({ clientY, target, currentTarget }: PointerEvent, isPress: boolean) {
    const { top, height } = currentTarget.getBoundingClientRect()
    const part = Math.min(1, Math.max(0, (clientY - top) / height))
    if (!isPress) goTo(part)
    else if (target === currentTarget) goToSection(sectionAt(partsOf(list.current), part))
  }

  const month = sections[place.section]?.month
  const name = month ? monthName(month, i18n) : ''
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t`Month`}
      aria-valuemin={1}
      aria-valuemax={sections.length}
      aria-valuenow={place.section + 1}
      aria-valuetext={name}
      className={`small tabular ${styles['scrubber']}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        // Neither hovered nor active while a finger moves it.
        event.currentTarget.dataset['dragged'] = ''
        follow(event, true)
      }}
      onLostPointerCapture={({ currentTarget }) => delete currentTarget.dataset['dragged']}
      onPointerMove={(event) =>
        event.currentTarget.hasPointerCapture(event.pointerId) && follow(event, false)
      }
    >
      {years.map(({ year, part }) => (
        <span key={year} className={`quiet ${styles['year']}`} style={{ insetBlockStart: `${part * 100}%` }}>
          {year}
        </span>
      ))}
      <span className={styles['thumb']} style={{ insetBlockStart: `${place.part * 100}%` }}>
        <span className={styles['bubble']}>{name}</span>
      </span>
    </div>
  )
}

/** Returns the part of the list's height above an edge in the viewport. */
function partAt(list: HTMLElement | null, edge: number): number {
  const { top, height } = list?.getBoundingClientRect() ?? { top: 0, height: 0 }
  return Math.min(1, Math.max(0, (edge - top) / (height || 1)))
}

/** Returns the parts of the list's height at which its sections begin. */
function partsOf(list: HTMLElement | null): number[] {
  return [...(list?.children ?? [])].map((section) => partAt(list, section.getBoundingClientRect().top))
}

function sectionAt(parts: readonly number[], part: number): number {
  return Math.max(
    0,
    parts.findLastIndex((start) => start <= part),
  )
}

/** Returns the edge in the viewport below which the list is seen: that of the sticky header. */
function edgeOf(list: HTMLElement | null): number {
  const first = list?.firstElementChild
  return first ? Number.parseFloat(getComputedStyle(first).scrollMarginBlockStart) || 0 : 0
}
