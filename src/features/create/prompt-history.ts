import { useLingui } from '@lingui/react/macro'
import { useRef, type KeyboardEvent } from 'react'
import { escapeChoices } from '../../../shared/expand-prompt.ts'
import { trpc } from '../../api/trpc.ts'
import { announce } from '../../ui/announcer.tsx'
import type { Creation } from './use-creation.ts'

/** Number of the latest images whose prompts are walked through. */
const walkedImages = 100

/**
 * Walks through the user's last prompts: the arrow up in an empty field shows the last one, and the arrow down leads back.
 *
 * @returns a handler of keys in the field of the prompt
 */
export function usePromptHistory({ change }: Pick<Creation, 'change'>) {
  const api = trpc.useUtils()
  const { t } = useLingui()
  /** The prompts, newest first, and which of them is in the field. */
  const walk = useRef<{ readonly prompts: readonly string[]; readonly at: number } | null>(null)

  function show(prompts: readonly string[], at: number) {
    walk.current = { prompts, at }
    const prompt = prompts[at] ?? ''
    change({ prompt })
    announce(prompt)
  }

  async function begin(field: HTMLTextAreaElement) {
    const { images } = await api.images.list.fetch({ limit: walkedImages })
    const prompts = [...new Set(images.map(({ prompt }) => escapeChoices(prompt)).filter(Boolean))]
    if (prompts.length > 0 && field.value === '') show(prompts, 0)
  }

  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey
    if (step === 0 || hasModifier || event.nativeEvent.isComposing) return
    const field = event.currentTarget
    const { prompts, at } = walk.current ?? { prompts: [], at: -1 }
    const isWalking = at >= 0 && field.value === prompts[at]
    if (!isWalking && (field.value !== '' || step < 0)) return
    event.preventDefault()
    if (!isWalking)
      begin(field).catch(() => announce(t`Your prompts could not be loaded. Try again in a moment.`))
    else if (at + step < prompts.length) show(prompts, at + step)
  }
}
