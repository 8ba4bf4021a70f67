import { fitUrl, thumbnailUrl } from '../../../shared/image-files.ts'
import type { Post } from '../../../shared/posts.ts'
import { averageColor } from '../../images/image.tsx'
import { Mark } from '../../ui/brand.tsx'
import styles from './collections.module.css'

/** The cover of a collection; a drawing for one without posts. Decorative, next to its title. */
export function CoverImage({ cover, size }: { cover: Post | null; size: 'small' | 'large' }) {
  // Cut to the frame, it needs more pixels the less its shape is that of the frame.
  const side = cover && (cover.height > cover.width || cover.width > 2 * cover.height) ? 1280 : 640
  return (
    <span
      className={size === 'small' ? `thumb ${styles['small']}` : styles['large']}
      style={cover ? { backgroundColor: averageColor(cover.placeholder) } : undefined}
    >
      {cover ? (
        <img
          className="cover"
          src={size === 'small' ? thumbnailUrl(cover.photo, 320) : fitUrl(cover.photo, side)}
          width={cover.width}
          height={cover.height}
          alt=""
          loading="lazy"
          data-blurred={cover.isSensitive || undefined}
        />
      ) : (
        <Mark />
      )}
    </span>
  )
}
