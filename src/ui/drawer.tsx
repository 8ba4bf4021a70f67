import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { Column } from './data-table.tsx'
import { Dialog } from './dialog.tsx'
import { Fact, Facts } from './entry-list.tsx'

/** What a drawer offers: a key that stays if its label changes, the label, and what it does. */
export type DrawerAction = readonly [key: string, label: string, act: () => void]

/**
 * A row of a table, with what all columns say and what can be done.
 *
 * @param props.facts further facts by their labels, unless they are empty
 * @param props.dialog a dialog that an action has opened
 * @param props.leave selector of the element that gets the focus; closes the drawer
 */
export function Drawer<Row>(props: {
  row: Row
  columns: readonly Pick<Column<Row>, 'title' | 'cell'>[]
  facts: Readonly<Record<string, ReactNode>>
  actions: readonly (DrawerAction | false)[]
  notice?: ReactNode
  isBusy?: boolean
  dialog: ReactNode
  leave?: string | undefined
  children?: ReactNode
}) {
  const { row, columns, actions, isBusy = false, dialog, leave, children } = props
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
          {actions.map(
            (action) =>
              action && (
                <Button key={action[0]} isBusy={isBusy} onClick={action[2]}>
                  {action[1]}
                </Button>
              ),
          )}
        </div>
        {children}
      </div>
      {dialog}
    </Dialog>
  )
}
