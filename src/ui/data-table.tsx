import { useState, type MouseEvent, type ReactNode, type Ref } from 'react'
import type { SortDirection } from '../../shared/admin.ts'
import styles from './data-table.module.css'
import { Icon } from './icons.tsx'
import { VisuallyHidden } from './text.tsx'

/** A column of a table. The first one names its rows. */
export interface Column<Row, Sort extends PropertyKey = never> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** The order that its heading chooses, and the direction that comes first. */
  readonly sort?: readonly [by: Sort, first: SortDirection]
  readonly isNumber?: boolean
  /** True for long texts, which are broken into lines. */
  readonly isText?: boolean
  /** True for controls, whose title is for screen readers only. */
  readonly isControl?: boolean
}

/** Props of a table of rows that are all loaded, which sorts by their fields, at first descending. */
export function useSortedRows<Row>(rows: readonly Row[], firstSort: keyof Row) {
  const [sorted, setSorted] = useState({ sort: firstSort, direction: 'desc' as SortDirection })
  const { sort, direction } = sorted
  const compare = ({ [sort]: a }: Row, { [sort]: b }: Row) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))
  return {
    // Equals stay in the order of `rows`.
    rows: rows.toSorted((a, b) => (direction === 'asc' ? compare(a, b) : compare(b, a))),
    sorted,
    onSort: (by: keyof Row, to: SortDirection) => setSorted({ sort: by, direction: to }),
  }
}

/**
 * A table that scrolls within itself where it is wider than the page, on phones with its first column in view.
 *
 * @param props.empty in place of a table without rows
 * @param props.sorted the order of the rows
 * @param props.onOpen opens a row, by a click or by the button that its first cell is
 */
export function DataTable<Row, Sort extends PropertyKey = never>(props: {
  label: string
  empty?: string
  columns: readonly Column<Row, Sort>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  sorted?: { readonly sort: Sort; readonly direction: SortDirection }
  onSort?: (sort: Sort, direction: SortDirection) => void
  onOpen?: (row: Row) => void
  isBusy?: boolean
  ref?: Ref<HTMLTableSectionElement>
}) {
  const { label, columns, rows, rowKey, sorted, onSort, onOpen, isBusy, ref } = props
  if (rows.length === 0) return props.empty && <p className="quiet">{props.empty}</p>

  function open(row: Row, { currentTarget }: MouseEvent<HTMLElement>) {
    // Gets the focus back later.
    currentTarget.querySelector('button')?.focus({ preventScroll: true })
    onOpen?.(row)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls by keys.
    <div role="group" aria-label={label} tabIndex={0} className={`card full ${styles['frame']}`}>
      <table aria-label={label} aria-busy={isBusy} className={`small ${styles['table']}`}>
        <thead>
          <tr>
            {columns.map(({ title, sort, isNumber, isControl }) => {
              const [by, first] = sort ?? []
              const isSorted = by !== undefined && sorted?.sort === by
              const isAscending = sorted?.direction === 'asc'
              return (
                <th
                  key={title}
                  scope="col"
                  data-number={isNumber}
                  aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
                >
                  {by && first ? (
                    <button
                      type="button"
                      className={`hoverable ${styles['heading']}`}
                      onClick={() => onSort?.(by, isSorted ? (isAscending ? 'desc' : 'asc') : first)}
                    >
                      {title}
                      <Icon size={12} className={styles['arrow']} path="M6 10V2M2.5 5.5 6 2l3.5 3.5" />
                    </button>
                  ) : isControl ? (
                    <VisuallyHidden>{title}</VisuallyHidden>
                  ) : (
                    title
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody ref={ref}>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={onOpen && styles['opens']}
              onClick={onOpen && ((event) => open(row, event))}
            >
              {columns.map(({ title, cell, isNumber, isText }, index) =>
                index === 0 ? (
                  <th key={title} scope="row" data-text={isText}>
                    {onOpen ? (
                      // Its click is that of the row.
                      <button type="button" className={`full insetFocus ${styles['name']}`}>
                        {cell(row)}
                      </button>
                    ) : (
                      cell(row)
                    )}
                  </th>
                ) : (
                  <td key={title} data-number={isNumber} data-text={isText}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
