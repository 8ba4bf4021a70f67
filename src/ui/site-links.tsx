import type { ReactNode } from 'react'
import { pagePaths } from '../../shared/routes.ts'

/** Name of the software. */
export const software = 'Rangoli'

/** Link to the operator, named by the address itself. */
export function ContactLink({ contact }: { contact: string }) {
  return <a href={contact}>{contact.replace(/^mailto:|^https?:\/\/|\/$/g, '')}</a>
}

/** Link to the rules in a new tab, for dialogs, whose content would be lost. */
export function RulesLink({ children }: { children: ReactNode }) {
  return (
    <a href={pagePaths.rules} target="_blank" rel="noopener">
      {children}
    </a>
  )
}
