/** Version of everything that public responses depend on: differs from all earlier ones once any of it changes. */
export type ContentVersion = number | string

/**
 * Reads the version as of a moment after the call, so that nothing made for it is older than the request.
 *
 * @throws AppError `storage_unavailable`
 */
export type ReadContentVersion = () => Promise<ContentVersion>
