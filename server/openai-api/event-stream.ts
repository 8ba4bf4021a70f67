/** Interval between comments that keep proxies from closing an idle stream, in milliseconds. */
const heartbeatMs = 10_000

/** Sends an event; its `type` is the name of the event, too. */
export type SendEvent = (event: { readonly type: string }) => void

/**
 * Creates a response of server-sent events.
 *
 * @param run sends the events until it resolves; `signal` is aborted when the client has disconnected. It never rejects.
 */
export function eventStream(run: (send: SendEvent, signal: AbortSignal) => Promise<void>): Response {
  const left = new AbortController()
  let heartbeat: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (!left.signal.aborted) controller.enqueue(Buffer.from(text))
      }
      heartbeat = setInterval(() => write(': waiting\n\n'), heartbeatMs)
      const send: SendEvent = (event) => write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      await run(send, left.signal)
      clearInterval(heartbeat)
      if (!left.signal.aborted) controller.close()
    },
    cancel() {
      clearInterval(heartbeat)
      left.abort()
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'private, no-cache, no-transform',
      // Makes nginx forward each event at once.
      'X-Accel-Buffering': 'no',
    },
  })
}
