/** What of Clerk's dialogs cannot be said by the names in appearance.css. */
export const appearance = {
  elements: {
    cardBox: { border: 'var(--dialog-edge)' },
    formButtonPrimary: { background: 'var(--dialog-button)', color: 'var(--dialog-on-button)' },
  },
}
