import { Button } from '../../ui/button.tsx'
import { Section } from './section.tsx'

/** Leads to the service that keeps the account. */
export function HostedAccount({ onOpen }: { onOpen: () => void }) {
  return (
    <Section
      title="Name, password and deletion"
      intro="Your name, your email, your password and the deletion of your account are in your profile."
    >
      <Button variant="primary" onClick={onOpen}>
        Manage your account
      </Button>
    </Section>
  )
}
