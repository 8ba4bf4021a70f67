import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBuilder } from 'kysely'
import { Pool } from 'pg'

interface GuardedTransaction {
  /** Transaction whose work this one is a part of. */
  readonly outer: GuardedTransaction | undefined
  /** Pool of its connection; null for SQLite, or before it has one. */
  pool: Pool | null
  isRunning: boolean
}

const transactions = new AsyncLocalStorage<GuardedTransaction>()

/** Error of code that does not use its transaction. */
class SecondConnectionError extends Error {
  override name = 'SecondConnectionError'
}

/**
 * Makes transactions fail whose work queries the database past them: that takes a second connection, for which a full
 * pool waits forever.
 */
function guardTransactions(): void {
  const { execute } = TransactionBuilder.prototype
  TransactionBuilder.prototype.execute = function guarded(work) {
    const outer = transactions.getStore()
    const transaction: GuardedTransaction = { outer, pool: null, isRunning: false }
    return transactions.run(transaction, () =>
      execute.call(this, async (connected) => {
        transaction.isRunning = true
        try {
          return await work(connected)
        } finally {
          transaction.isRunning = false
        }
      }),
    ) as ReturnType<typeof work>
  }
  const connect = Pool.prototype.connect as (this: Pool) => Promise<unknown>
  Pool.prototype.connect = function guarded(this: Pool, ...callback: []) {
    const transaction = transactions.getStore()
    for (let each = transaction; each; each = each.outer) {
      if (each.isRunning && each.pool === this) {
        throw new SecondConnectionError('A transaction used the database instead of itself.')
      }
    }
    if (transaction && !transaction.isRunning) transaction.pool = this
    return connect.apply(this, callback)
  } as typeof Pool.prototype.connect
}

// Test files of a worker share modules.
if (!TransactionBuilder.prototype.execute.name.startsWith('guarded')) guardTransactions()
