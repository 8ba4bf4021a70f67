import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { listPath } from '../../api/list-address.ts'
import type { ListAddress, ListOrder } from '../../../shared/page-data.ts'
import styles from './order-links.module.css'

/** Links to the orders of a list of posts, which work without JavaScript. */
export function OrderLinks({ address }: { address: ListAddress }) {
  const { t } = useLingui()
  const isTop = address.order !== 'new'
  const periods = [
    ['week', t({ message: 'Week', context: 'most liked posts' })],
    ['month', t({ message: 'Month', context: 'most liked posts' })],
    ['all', t({ message: 'All time', context: 'most liked posts' })],
  ] as const

  function link(order: ListOrder, label: string, isCurrent: boolean) {
    return (
      <Link
        key={label}
        href={listPath({ ...address, order, cursor: null })}
        className={styles['link']}
        aria-current={isCurrent || undefined}
      >
        {label}
      </Link>
    )
  }

  return (
    <nav aria-label={t({ message: 'Order', context: 'of posts' })} className={styles['orders']}>
      <div className={styles['group']}>
        {link('new', t({ message: 'Newest', context: 'posts' }), !isTop)}
        {link('all', t({ message: 'Most liked', context: 'posts' }), isTop)}
      </div>
      {isTop && (
        <div className={styles['group']}>
          {periods.map(([order, label]) => link(order, label, order === address.order))}
        </div>
      )}
    </nav>
  )
}
