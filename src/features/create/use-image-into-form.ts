import { useLingui } from '@lingui/react/macro'
import { flushSync } from 'react-dom'
import { isSucceeded, type Image, type Recipe, type SucceededImage } from '../../../shared/images.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import { applyRecipe } from './import-settings/apply-settings.ts'
import { describeApplied } from './import-settings/use-import.ts'
import type { Creation } from './use-creation.ts'

/** Returns a function that puts an image and its prompt into the form; the prompt only, if the image can't be shared. */
export function useImageIntoForm(creation: Creation): (image: Image) => void {
  const { t } = useLingui()
  const announce = useAnnounce()
  return (image) => {
    const { prompt } = image
    // Synchronously, as the Share button has to exist before it can be focused.
    flushSync(() => {
      creation.dismissFailure()
      creation.change(isShareable(image) ? { image, batch: [], prompt } : { prompt })
    })
    if (isShareable(image)) {
      focusFirst(elementIds.share)
      announce(t`The image is in the form, ready to be shared.`)
    } else {
      focusFirst(elementIds.prompt)
      announce(t`The prompt is in the form.`)
    }
  }
}

/** Returns a function that puts the settings of an image into the form, and says which of them it has. */
export function useSettingsIntoForm(creation: Creation): (recipe: Recipe) => Promise<void> {
  const { i18n } = useLingui()
  const announce = useAnnounce()
  return async (recipe) => {
    const references = await creation.findReferences(recipe)
    creation.dismissFailure()
    const applied = await creation.apply((options, engines) =>
      applyRecipe(recipe, options, engines, references),
    )
    focusFirst(elementIds.prompt)
    announce(describeApplied(i18n, applied))
  }
}

/** Narrows an image to one that can be shared: its file is stored, and no administrator has hidden it. */
export function isShareable<Item extends Image>(image: Item): image is Item & SucceededImage {
  return isSucceeded(image) && !image.isHidden
}
