const channelName = 'session'

/** Tells this site's other tabs that somebody signed in or out. */
export function announceSessionChange(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Calls `listener` when somebody signs in or out in another tab; returns how to stop listening. */
export function onSessionChange(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', listener)
  return () => channel.close()
}
