import { useLingui } from '@lingui/react/macro'
import { Button } from '../../ui/button.tsx'
import ui from '../../ui/primitives.module.css'
import styles from './account.module.css'
import { CommonSections } from './common-sections.tsx'
import { Section } from './section.tsx'

/** The account page of a user of a hosted sign-in service. */
export function HostedAccount({ viewerId, openProfile }: { viewerId: string; openProfile: () => void }) {
  const { t } = useLingui()
  return (
    <div className={`${ui['stack']} ${styles['sections']}`}>
      <Section
        title={t`Name, password and deletion`}
        intro={t`Change your name, email and password, or delete your account, in your profile.`}
      >
        <Button variant="primary" onClick={openProfile}>
          {t`Manage your account`}
        </Button>
      </Section>
      <CommonSections viewerId={viewerId} noticesTo={null} />
    </div>
  )
}
