import { useLingui } from '@lingui/react/macro'
import { useId, type ReactNode } from 'react'
import styles from '../../../src/features/reference/reference.module.css'
import { buttonClass } from '../../../src/ui/button.tsx'

/** A section with an id, to which links lead. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles['section']}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  )
}

/** A text in which backticks enclose code. */
export function Text({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the page is rendered once
      <Literal key={index}>{part}</Literal>
    ),
  )
}

/** Code within a text, which is not translated and reads from left to right. */
export function Literal({ children }: { children: string }) {
  return (
    <code dir="ltr" lang="en" translate="no">
      {children}
    </code>
  )
}

/** A block of code with a button that copies it. */
export function Code({ title, children }: { title: string; children: string }) {
  const { t } = useLingui()
  const id = useId()
  return (
    <figure className={styles['code']}>
      <figcaption>
        <span id={id}>{title}</span>
        <button type="button" data-copy className={buttonClass('plain')} aria-describedby={id}>
          {t`Copy`}
        </button>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards scroll it */}
      <pre tabIndex={0} role="group" aria-labelledby={id} dir="ltr" lang="en" translate="no">
        <code>{children}</code>
      </pre>
    </figure>
  )
}

/** A list of names with what they mean. */
export function Facts({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <dl aria-label={label} className={styles['facts']}>
      {children}
    </dl>
  )
}

/** A name in code and what it means. */
export function Fact({
  name,
  detail,
  children,
}: {
  name: string
  detail?: ReactNode
  children?: string | undefined
}) {
  return (
    <div>
      <dt>
        <Literal>{name}</Literal>
        {detail && <span className={styles['detail']}>{detail}</span>}
      </dt>
      {children !== undefined && (
        <dd>
          <Text>{children}</Text>
        </dd>
      )}
    </div>
  )
}
