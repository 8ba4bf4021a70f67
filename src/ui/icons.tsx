/** Attributes of icons, which have the color of the text. Style sheets may set others. */
const icon = {
  'aria-hidden': true,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.75,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

export function CloseIcon() {
  return (
    <svg {...icon} viewBox="0 0 16 16" width="1rem">
      <path d="M3 3l10 10M13 3L3 13" />
    </svg>
  )
}

export function DownloadIcon() {
  return (
    <svg {...icon} viewBox="0 0 20 20" width="1.25rem">
      <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />
    </svg>
  )
}

export function LikeIcon() {
  return (
    <svg {...icon} viewBox="0 0 20 20" width="1.25rem">
      <path d="M10 16.5S3 12.6 3 7.9A3.9 3.9 0 0 1 10 5.6a3.9 3.9 0 0 1 7 2.3c0 4.7-7 8.6-7 8.6z" />
    </svg>
  )
}

/** Three dots of a button that opens a menu. */
export function MoreIcon() {
  return (
    <svg {...icon} viewBox="0 0 20 20" width="1.25rem">
      <path strokeWidth="2.75" d="M4 10h0M10 10h0M16 10h0" />
    </svg>
  )
}

/** Downward chevron of a control that opens a list. */
export function UnfoldIcon({ className }: { className?: string | undefined }) {
  return (
    <svg {...icon} viewBox="0 0 12 12" width="0.75rem" strokeWidth="1.5" className={className}>
      <path d="M2.5 4.5 6 8l3.5-3.5" />
    </svg>
  )
}
