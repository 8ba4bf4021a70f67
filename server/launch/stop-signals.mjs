/** Signals that ask a process to stop. Not SIGHUP: a handler would undo nohup. */
export const stopSignals = /** @type {const} */ (['SIGINT', 'SIGTERM'])
