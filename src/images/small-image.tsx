import { thumbnailUrl } from '../../shared/image-files.ts'
import { averageColour } from './average-colour.ts'

/** The smallest size of an image whose prompt stands beside it, and says what it shows. */
export function SmallImage(props: {
  image: { readonly photo: string; readonly placeholder: string }
  className: string | undefined
}) {
  const { photo, placeholder } = props.image
  return (
    <img
      className={props.className}
      src={thumbnailUrl(photo, 320)}
      width={320}
      height={320}
      alt=""
      loading="lazy"
      decoding="async"
      style={{ backgroundColor: averageColour(placeholder) }}
    />
  )
}
