import type { ReactNode } from 'react'

interface IconProps {
  readonly size?: 12 | 16 | 20
  readonly className?: string | undefined
  /** Of an icon of one path. */
  readonly path?: string
  readonly children?: ReactNode
}

/** A decorative line icon of 20, 16 or 12 pixels, which styles may enlarge. */
export function Icon({ size = 20, className, path, children }: IconProps) {
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={`${size / 16}rem`}
      strokeWidth={size === 12 ? 1.5 : 1.75}
      aria-hidden="true"
      className={className ? `icon ${className}` : 'icon'}
    >
      {path === undefined ? children : <path d={path} />}
    </svg>
  )
}

function drawn(path: string, size: 12 | 16 | 20 = 20) {
  return function DrawnIcon({ className }: { className?: string | undefined }) {
    return <Icon size={size} className={className} path={path} />
  }
}

/** Path of the icon of 20 pixels for notifications. */
export const bellPath =
  'M5.5 8.5a4.5 4.5 0 0 1 9 0c0 4 1.75 5 1.75 5H3.75s1.75-1 1.75-5M8.25 16.25a2 2 0 0 0 3.5 0'

export const BellIcon = drawn(bellPath)
export const CloseIcon = drawn('M3 3l10 10M13 3L3 13', 16)
export const DownloadIcon = drawn('M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13')
export const LikeIcon = drawn(
  'M10 16.5S3 12.6 3 7.9A3.9 3.9 0 0 1 10 5.6a3.9 3.9 0 0 1 7 2.3c0 4.7-7 8.6-7 8.6z',
)
/** Downward chevron of a control that opens a list. */
export const UnfoldIcon = drawn('M2.5 4.5 6 8l3.5-3.5', 12)

/** Three dots of a button that opens a menu. */
export function MoreIcon() {
  return (
    <Icon>
      <path strokeWidth="2.75" d="M4 10h0M10 10h0M16 10h0" />
    </Icon>
  )
}
