import path from 'node:path'
import { z } from 'zod'
import { byteCount, endpointUrl, matching, onOrOff, requireTogether } from './variables.ts'

/** Where the bytes of images are stored: in a folder of this machine, or in a bucket. */
type StorageConfig = z.output<ReturnType<typeof storageSection>>

/** A bucket of an S3-compatible object storage. */
export type S3StorageConfig = Extract<StorageConfig, { kind: 's3' }>

const accessKey = matching(
  /^[\x21-\x7e]+$/,
  'must consist of printable ASCII characters without spaces.',
).optional()

/** @param workingDirectory base of a relative `UPLOADS_DIR` */
export function storageSection(workingDirectory: string) {
  return z
    .object({
      UPLOADS_DIR: z.string().default('uploads'),
      /** Maximum size of all images together; null: no limit. */
      UPLOADS_MAX_BYTES: byteCount.default(null),
      S3_BUCKET: matching(
        /^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$/,
        'must be the name of a bucket, such as my-images; its URL belongs into S3_ENDPOINT.',
      ).optional(),
      S3_ENDPOINT: endpointUrl('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY').optional(),
      S3_REGION: matching(/^[A-Za-z0-9-]+$/, 'must be the name of a region, such as us-east-1.').optional(),
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: accessKey,
      S3_PREFIX: matching(
        /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/?$/,
        'must be a path of letters, digits, dots, hyphens and underscores, such as rangoli/images.',
      )
        .transform((value) => value.replace(/\/?$/, '/'))
        .optional(),
      S3_FORCE_PATH_STYLE: onOrOff.optional(),
    })
    .transform((values, context) => {
      const { UPLOADS_DIR, UPLOADS_MAX_BYTES: maxBytes, ...ofBucket } = values
      const { S3_BUCKET: bucket } = ofBucket
      requireTogether(ofBucket, ['S3_BUCKET'], context, {
        optional: Object.keys(ofBucket) as (keyof typeof ofBucket)[],
        purpose: 'to store images in UPLOADS_DIR',
      })
      if (bucket === undefined) {
        const directory = path.resolve(workingDirectory, UPLOADS_DIR)
        return { kind: 'disk' as const, directory, maxBytes }
      }
      const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
      requireTogether(values, ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], context, {
        purpose: 'to use the credentials that the AWS SDK finds',
      })
      const endpoint = values.S3_ENDPOINT ?? null
      return {
        kind: 's3' as const,
        bucket,
        /** Null: AWS. */
        endpoint,
        region: values.S3_REGION ?? 'us-east-1',
        /** Null: found by the AWS SDK, such as the role of a machine. */
        credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
        /** First part of all keys: empty, or ending with a slash. */
        prefix: values.S3_PREFIX ?? '',
        /** True for `https://endpoint/bucket/key`, false for `https://bucket.endpoint/key`. */
        forcePathStyle: values.S3_FORCE_PATH_STYLE ?? endpoint !== null,
        maxBytes,
      }
    })
}
