export function DownloadIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />
    </svg>
  )
}

export function DeleteIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3.5 5.5h13M8 5.5v-2h4v2M5.5 5.5l.75 11h7.5l.75-11M8.5 8.5l.25 5M11.5 8.5l-.25 5" />
    </svg>
  )
}

export function LikeIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 16.5S3 12.6 3 7.9A3.9 3.9 0 0 1 10 5.6a3.9 3.9 0 0 1 7 2.3c0 4.7-7 8.6-7 8.6z" />
    </svg>
  )
}

/** Three dots of a button that opens a menu. */
export function MoreIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path strokeWidth="2.75" d="M4 10h0M10 10h0M16 10h0" />
    </svg>
  )
}

/** Downward chevron of a control that opens a list. */
export function UnfoldIcon({ className }: { className: string | undefined }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className={className}>
      <path d="M2.5 4.5 6 8l3.5-3.5" />
    </svg>
  )
}

/** Chevron that points right, to what follows. */
export function NextIcon() {
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true">
      <path d="M4.5 2.5 8 6l-3.5 3.5" />
    </svg>
  )
}

export function ShareIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 12.5V3M6.5 6 10 2.75 13.5 6M6 9H4.5v8h11V9H14" />
    </svg>
  )
}

/** Two arrows in a circle: an image made from another one. */
export function RemixIcon() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3.5 9A6.6 6.6 0 0 1 15 5.5l1.5 1.75M16.5 3.5v3.75h-3.75M16.5 11A6.6 6.6 0 0 1 5 14.5l-1.5-1.75M3.5 16.5v-3.75h3.75" />
    </svg>
  )
}
