import type { ReactElement, ReactNode } from 'react'
import { Button } from './button.tsx'
import type { Column } from './data-table.tsx'
import { Dialog } from './dialog.tsx'
import { Fact, Facts } from './entry-list.tsx'
import { useDialog } from './use-dialog.tsx'

/** What a drawer offers: a key that stays if its label changes, the label, and what it does, or the dialog that it opens. */
export type DrawerAction = readonly [key: string, label: string, act: (() => void) | ReactElement]

/**
 * A row of a table, with what all columns say and what can be done.
 *
 * @param props.facts further facts by their labels, unless they are empty
 * @param props.leave selector of the element that gets the focus; closes the drawer
 */
export function Drawer<Row>(props: {
  row: Row
  columns: readonly Pick<Column<Row>, 'title' | 'cell'>[]
  facts: Readonly<Record<string, ReactNode>>
  actions: readonly (DrawerAction | false)[]
  notice?: ReactNode
  isBusy?: boolean
  leave?: string | undefined
  children?: ReactNode
}) {
  const { row, columns, actions, isBusy = false, leave, children } = props
  const [dialog, open] = useDialog()
  const [name, ...others] = columns
  const facts = [
    ...others.map(({ title, cell }) => [title, cell(row)] as const),
    ...Object.entries(props.facts),
  ]
  return (
    <Dialog
      isDrawer
      open={leave === undefined}
      title={name?.cell(row)}
      description={null}
      focusAfter={() => (leave === undefined ? null : document.querySelector(leave))}
    >
      <div className="stack widest">
        <Facts>
          {facts.map(
            ([label, fact]) =>
              fact && (
                <Fact key={label} label={label}>
                  {fact}
                </Fact>
              ),
          )}
        </Facts>
        <div className="stack tight">
          {props.notice}
          {actions.map((action) => {
            if (!action) return null
            const [key, label, act] = action
            return (
              <Button key={key} isBusy={isBusy} onClick={typeof act === 'function' ? act : () => open(act)}>
                {label}
              </Button>
            )
          })}
        </div>
        {children}
      </div>
      {dialog}
    </Dialog>
  )
}
