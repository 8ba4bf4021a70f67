/** @type {typeof import('./entry-chunk.d.mts').entryInOneChunk} */
export const entryInOneChunk = {
  codeSplitting: {
    groups: [
      {
        name: 'main',
        tags: ['$initial'],
        test: (id) =>
          !/\brolldown\/runtime|swagger-ui-dist|\/features\/reference\/|\/failure-messages\.ts/.test(id),
      },
    ],
  },
}
