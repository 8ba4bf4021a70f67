import { X509Certificate } from 'node:crypto'
import sharp from 'sharp'
import type { Config } from '../../config/config.ts'
import { createSigner, findSigningIssue } from '../../formats/signing.ts'
import { reasonOf } from '../../db/database-errors.ts'
import { systemClock } from '../../time/clock.ts'
import { ok, problem, type Lines } from './report.ts'

/** Checks that images can be signed, by signing one. @param library see `findSigningIssue` */
export async function* checkSigning(config: Config, nodeVersion: string, library?: string): Lines {
  const { signing } = config
  if (!signing) return yield ok('C2PA_CERTIFICATE and C2PA_KEY are not set: images are not signed.')
  const issue = findSigningIssue(signing, nodeVersion, systemClock(), library)
  if (issue) return yield problem(issue.text, issue.fix)
  const { subject, validTo } = new X509Certificate(signing.certificate)
  const jpeg = sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } }).jpeg()
  try {
    const failures: unknown[] = []
    const sign = createSigner(signing, config, (error) => failures.push(error), library)
    const producer = { kind: 'rangoli', model: '' } as const
    await sign(await jpeg.toBuffer(), producer, { references: 0, remixOf: null })
    const name = subject.replaceAll('\n', ', ')
    yield ok(`Images are signed with the certificate of ${name}, which is valid until ${validTo}.`)
    for (const error of failures)
      yield problem(
        `Signatures have no timestamp: C2PA_TIMESTAMP_URL failed (${reasonOf(error)}).`,
        'Use a time stamping authority (RFC 3161) that this server can reach.',
      )
  } catch (error) {
    yield problem(
      `Images cannot be signed (${reasonOf(error)}).`,
      'Install @contentauth/c2pa-node for this platform, and use a certificate that C2PA accepts: not self-signed, with its issuers.',
    )
  }
}
