import { useLingui } from '@lingui/react/macro'
import { useId, type ReactNode } from 'react'
import { PasswordField } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import ui from '../../ui/primitives.module.css'
import styles from './account.module.css'

/** A section of the account page: title and introduction on one side, controls on the other. */
export function Section(props: { title: string; intro: ReactNode; children: ReactNode }) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId} className={`${ui['card']} ${styles['section']}`}>
      <div className={`${ui['stack']} ${styles['about']}`}>
        <h2 id={headingId} className={ui['title']}>
          {props.title}
        </h2>
        <p className={ui['intro']}>{props.intro}</p>
      </div>
      <div className={`${ui['stack']} ${styles['controls']}`}>{props.children}</div>
    </section>
  )
}

/** Field for the password of the account, by the name `currentPassword`, which confirms a change. */
export function YourPasswordField() {
  const { t } = useLingui()
  return (
    <PasswordField
      label={t`Your password`}
      name="currentPassword"
      autoComplete="current-password"
      enterKeyHint="send"
    />
  )
}

/** Hidden field from which password managers know the account of a password. */
export function UsernameField({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}

/** Placeholder of the size of the first sections. */
export function AccountSkeleton() {
  return (
    <div className={`${ui['stack']} ${styles['sections']}`} aria-hidden="true">
      {[1, 2, 3].map((section) => (
        <div key={section} className={`${ui['card']} ${styles['section']}`}>
          <div className={`${ui['stack']} ${styles['about']}`}>
            <Skeleton shape="line" />
          </div>
          <div className={ui['stack']}>
            <Skeleton shape="line" />
            <Skeleton shape="control" />
            <Skeleton shape="line" />
            <Skeleton shape="control" />
            <Skeleton shape="pill" />
          </div>
        </div>
      ))}
    </div>
  )
}
