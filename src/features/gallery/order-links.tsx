import { Link } from 'wouter'
import { listPath } from '../../api/list-address.ts'
import type { ListAddress, ListOrder } from '../../../shared/page-data.ts'
import styles from './order-links.module.css'

const periods = [
  ['week', 'Week'],
  ['month', 'Month'],
  ['all', 'All time'],
] as const

/** Links to the orders of a list of posts, which work without JavaScript. */
export function OrderLinks({ address }: { address: ListAddress }) {
  const isTop = address.order !== 'new'

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
    <nav aria-label="Order" className={styles['orders']}>
      <div className={styles['group']}>
        {link('new', 'Newest', !isTop)}
        {link('all', 'Most liked', isTop)}
      </div>
      {isTop && (
        <div className={styles['group']}>
          {periods.map(([order, label]) => link(order, label, order === address.order))}
        </div>
      )}
    </nav>
  )
}
