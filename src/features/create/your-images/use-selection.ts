import { useRef, useState } from 'react'

/** Ids of selected list items, and how they change. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  /**
   * Selects or deselects an item.
   *
   * @param isRange true to do the same with all items up to the one that was changed before
   */
  toggle(id: string, isRange: boolean): void
}

/**
 * Keeps the selection of a list whose items may come and go.
 *
 * @param listed ids of the items that can be selected, in their order
 */
export function useSelection(listed: readonly string[]) {
  const [isSelecting, setIsSelecting] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const lastChanged = useRef<string | null>(null)
  const ids = new Set(listed.filter((id) => chosen.has(id)))

  function toggle(id: string, isRange: boolean) {
    const changed = new Set(ids)
    const [from, to] = [listed.indexOf(isRange ? (lastChanged.current ?? id) : id), listed.indexOf(id)]
    const range = from < 0 ? [id] : listed.slice(Math.min(from, to), Math.max(from, to) + 1)
    for (const one of range) {
      if (ids.has(id)) changed.delete(one)
      else changed.add(one)
    }
    lastChanged.current = id
    setChosen(changed)
  }

  return {
    isSelecting,
    selection: { ids, toggle } satisfies Selection,
    start: () => setIsSelecting(true),
    end() {
      setIsSelecting(false)
      setChosen(new Set())
      lastChanged.current = null
    },
    selectAll: () => setChosen(new Set(listed)),
    selectNone: () => setChosen(new Set()),
  }
}
