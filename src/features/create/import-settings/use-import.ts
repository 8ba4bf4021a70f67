import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { uploadMaxBytes } from '../../../../shared/limits.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import type { Creation } from '../use-creation.ts'
import { applyImported, type AppliedSettings } from './apply-settings.ts'

/** Reads settings from the metadata of a file in the browser, and puts them into the form. */
export function useImport(creation: Creation) {
  const { i18n, t } = useLingui()
  const announce = useAnnounce()
  const [message, setMessage] = useState('')

  function show(text: string) {
    setMessage(text)
    announce(text)
  }

  async function importFile(file: File) {
    if (file.size > uploadMaxBytes) return show(t`This file is larger than 20 MB. Choose a smaller one.`)
    try {
      // Only those who import need the reader.
      const [{ readEmbeddedTexts }, { parseSettings }, bytes] = await Promise.all([
        import('./read-embedded-texts.ts'),
        import('./parse-settings.ts'),
        file.arrayBuffer(),
      ])
      const texts = await readEmbeddedTexts(bytes)
      if (!texts) return show(t`This file could not be read. Choose a JPEG, PNG or WebP image.`)
      const imported = parseSettings(texts)
      if (!imported) return show(t`This image has no settings that could be read.`)
      const applied = await creation.apply((options, engines) => applyImported(imported, options, engines))
      show(`${imported.format}: ${describeApplied(i18n, applied)}`)
    } catch {
      show(t`This file could not be read. Try again.`)
    }
  }

  return { message, importFile, dismiss: () => setMessage('') }
}

export type Import = ReturnType<typeof useImport>

/** Says what was taken and what was left out. */
export function describeApplied(i18n: I18n, applied: AppliedSettings): string {
  const list = (names: readonly MessageDescriptor[]) =>
    new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(names.map((name) => i18n._(name)))
  const [taken, left] = [list(applied.taken), list(applied.left)]
  const sentences = [taken && i18n._(msg`Taken: ${taken}.`), left && i18n._(msg`Left out: ${left}.`)]
  return sentences.filter(Boolean).join(' ')
}
