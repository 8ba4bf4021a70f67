import type { Engine } from '../../../shared/engines.ts'
import { trpc } from '../../api/trpc.ts'

/** Interval at which the availability of several engines, or of one that is down, is refreshed. */
const refreshMs = 30_000

/** Engines to choose from, the default first. */
export interface Engines {
  /** Empty until loaded, and if that failed. */
  readonly list: readonly Engine[]
  readonly hasFailed: boolean
  /** True if the viewer may use none. */
  readonly isNone: boolean
  /** Loads them again, or waits for the load that runs. */
  readonly load: () => Promise<readonly Engine[]>
}

const none: readonly Engine[] = []

/** Loads the site's engines. */
export function useEngines(): Engines {
  const { data, isError, refetch } = trpc.engines.list.useQuery(undefined, {
    refetchInterval: ({ state }) => {
      const engines = state.data?.engines ?? none
      return engines.length > 1 || engines.some(({ isAvailable }) => !isAvailable) ? refreshMs : false
    },
  })

  async function load() {
    const loaded = await refetch({ cancelRefetch: false })
    return loaded.data?.engines ?? none
  }

  return {
    list: data?.engines ?? none,
    hasFailed: isError && !data,
    isNone: data?.engines.length === 0,
    load,
  }
}
