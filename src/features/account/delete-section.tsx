import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Section } from './section.tsx'

/** Leads to the deletion of the account. */
export function DeleteSection(props: { viewerId: string; email: string; onDeleted: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section
      title="Delete account"
      intro="Your account goes for good. What becomes of the posts you shared is up to you."
    >
      <Button onClick={() => setIsOpen(true)}>Delete my account…</Button>
      <DeleteAccount {...props} open={isOpen} onClose={() => setIsOpen(false)} />
    </Section>
  )
}
