import { useLingui } from '@lingui/react/macro'
import { useRef, type KeyboardEvent } from 'react'
import { escapeChoices } from '../../../shared/expand-prompt.ts'
import { trpc } from '../../api/trpc.ts'
import { announce } from '../../ui/announcer.tsx'
import type { Creation } from './use-creation.ts'

/** Number of the latest images whose prompts are walked through. */
const walkedImages = 100

/** More text than this is a prompt, not a search for one. */
const searchMaxLength = 100

/**
 * Walks through the user's last prompts: the arrow up in an empty field, or at the beginning of words that they contain, shows the
 * last one, and the arrow down leads back.
 *
 * @returns a handler of keys in the field of the prompt
 */
export function usePromptHistory({ change }: Pick<Creation, 'change'>) {
  const api = trpc.useUtils()
  const { t } = useLingui()
  /** What was typed, then the prompts, newest first, and which of them is in the field. */
  const walk = useRef({ prompts: [''], at: 0 })

  function show(prompts: string[], at: number) {
    walk.current = { prompts, at }
    const prompt = prompts[at] ?? ''
    change({ prompt })
    announce(prompt)
  }

  async function begin(field: HTMLTextAreaElement) {
    const typed = field.value
    const search = typed.trim()
    const { images } = await api.images.list.fetch({ limit: walkedImages, ...(search !== '' && { search }) })
    const found = images.map(({ prompt }) => escapeChoices(prompt)).filter(Boolean)
    const prompts = [...new Set([typed, ...found])]
    if (prompts.length > 1 && field.value === typed) show(prompts, 1)
  }

  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    const hasModifier = event.shiftKey || event.altKey || event.ctrlKey || event.metaKey
    if (step === 0 || hasModifier || event.nativeEvent.isComposing) return
    const field = event.currentTarget
    const { prompts, at } = walk.current
    const isWalking = at > 0 && field.value === prompts[at]
    const isAtStart = field.selectionEnd === 0 && field.value.length <= searchMaxLength
    if (!isWalking && (!isAtStart || step < 0)) return
    event.preventDefault()
    if (!isWalking)
      begin(field).catch(() => announce(t`Your prompts could not be loaded. Try again in a moment.`))
    else if (at + step < prompts.length) show(prompts, at + step)
  }
}
