import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import type { Column } from './data-table.tsx'
import { Dialog } from './dialog.tsx'
import { Fact, Facts } from './entry-list.tsx'

/** What a drawer offers: a key that stays if its label changes, the label, and what it does. */
export type DrawerAction = readonly [key: string, label: string, act: () => void]

/**
 * A row of a table, with the facts of all columns and what can be done.
 *
 * @param props.dialog a dialog that an action has opened
 * @param props.leave selector of the element that gets the focus; closes the drawer
 */
export function Drawer<Row>(props: {
  row: Row
  columns: readonly Pick<Column<Row>, 'title' | 'cell' | 'isText'>[]
  actions: readonly (DrawerAction | false)[]
  isBusy?: boolean
  dialog: ReactNode
  leave?: string | undefined
  children?: ReactNode
}) {
  const { row, columns, actions, isBusy = false, dialog, leave, children } = props
  const [isOpen, setIsOpen] = useState(true)
  const [name, ...facts] = columns
  return (
    <Dialog
      isDrawer
      open={isOpen && leave === undefined}
      title={name?.cell(row)}
      description={null}
      focusAfter={() => (leave === undefined ? null : document.querySelector(leave))}
      onClose={() => setIsOpen(false)}
    >
      <div className="stack widest">
        <Facts>
          {facts.map(({ title, cell, isText = false }) => {
            const fact = cell(row)
            return fact == null || fact === false ? null : (
              <Fact key={title} label={title} isWide={isText}>
                {fact}
              </Fact>
            )
          })}
        </Facts>
        <div className="stack tight">
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
