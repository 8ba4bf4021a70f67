import { flushSync } from 'react-dom'
import { isSucceeded, type Image, type SucceededImage } from '../../../shared/images.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import type { Creation } from './use-creation.ts'

/** Returns a function that puts an image and its prompt, or the prompt alone of one that can't be shared, into the form. */
export function useImageIntoForm(creation: Creation): (image: Image) => void {
  const announce = useAnnounce()
  return (image) => {
    const { prompt } = image
    // At once, as the button to go on with has to be there before it can have the focus.
    flushSync(() => {
      creation.dismissFailure()
      creation.change(isShareable(image) ? { image, prompt } : { prompt })
    })
    if (isShareable(image)) {
      focusFirst(elementIds.share)
      announce('The image is in the form, ready to be shared.')
    } else {
      focusFirst(elementIds.prompt)
      announce('The words are in the form.')
    }
  }
}

/** Narrows an image to one that can be shared: its image is stored, and no administrator has hidden it. */
export function isShareable(image: Image): image is SucceededImage {
  return isSucceeded(image) && !image.isHidden
}
