import { useEffect, useRef, useState } from 'react'

/** What is wrong, by the name of the field. */
export type Faults<Field extends string> = Partial<Record<Field, string>>

/** Why what was sent was not taken; `field` is the name of the one at fault, null where it is none alone. */
export interface Refusal {
  readonly field: string | null
  readonly message: string
}

/**
 * A form that sends once at a time. What is wrong with a field is in `faults`, and the first faulty one gets the
 * focus; what is wrong with none alone is in `failure`. Controls are found by their names, given in their order.
 */
export function useForm<Field extends string, Failure extends Refusal>(fields: readonly Field[]) {
  const form = useRef<HTMLFormElement>(null)
  const [found, setFound] = useState<{ faults: Faults<Field>; first?: Field | undefined }>({ faults: {} })
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  // The state is for the screen; two submits can come before it has changed.
  const isRunning = useRef(false)

  useEffect(() => {
    // Not before the fault stands beside the field, so that it is read out with it.
    const { first } = found
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }, [found])

  function show(faults: Faults<Field>, refusal: Failure | null) {
    setFound({ faults, first: fields.find((field) => faults[field]) })
    setFailure(refusal)
  }

  function clear() {
    show({}, null)
  }

  function explain(refusal: Failure) {
    const field = fields.find((name) => name === refusal.field)
    if (field) show({ [field]: refusal.message } as Faults<Field>, null)
    else show({}, refusal)
  }

  /** Sends unless something is known to be wrong; resolves to whether it was taken. */
  async function submit(known: Faults<Field>, send: () => Promise<Failure | null>): Promise<boolean> {
    if (isRunning.current) return false
    show(known, null)
    if (Object.keys(known).length > 0) return false
    isRunning.current = true
    setIsBusy(true)
    try {
      const refusal = await send()
      if (refusal) explain(refusal)
      return refusal === null
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  return { form, faults: found.faults, failure, isBusy, submit, clear }
}

/** What stands in a field of a submitted form. */
export function textIn(form: HTMLFormElement, field: string): string {
  const value = new FormData(form).get(field)
  return typeof value === 'string' ? value : ''
}
