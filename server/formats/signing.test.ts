import { X509Certificate } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createCertificate, libraryDouble, missingBinary, readSigned } from '../../test/support/c2pa.ts'
import { linesOf } from '../../test/support/doctor.ts'
import { images } from '../../test/support/openai/images.ts'
import { parseConfig } from '../config/config.ts'
import { checkSigning } from '../ops/doctor/signing.ts'
import { createSigner, findSigningIssue } from './signing.ts'
import { describeUnlessMissing, missingPrograms } from '../../test/support/programs.ts'

const producer = { kind: 'openai', model: 'gpt-image-2' } as const
const site = { publicOrigin: 'https://gallery.example.org', siteName: 'Rangoli' }
const nothing = { references: 0, remixOf: null }

async function configure(timestampUrl = 'http://time.example.org/') {
  const config = parseConfig({ ...(await createCertificate()), C2PA_TIMESTAMP_URL: timestampUrl }, '/srv')
  if (!config.signing) throw new Error('The site does not sign.')
  return { config, signing: config.signing }
}

describeUnlessMissing('signing', missingPrograms(['openssl']), () => {
  test('signs what was created, by which model and site, and names what it was made from', async () => {
    const { signing } = await configure()
    const sign = createSigner(signing, site, () => expect.unreachable(), libraryDouble)
    const signed = await sign(images.jpeg, producer, { references: 2, remixOf: '1' })
    expect(Buffer.from(signed).subarray(2 - images.jpeg.length)).toEqual(images.jpeg.subarray(2))
    const created = {
      action: 'c2pa.created',
      digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
      softwareAgent: { name: 'gpt-image-2' },
      parameters: { ingredientIds: ['input-0', 'input-1', 'input-2'] },
    }
    const manifest = {
      claim_generator_info: [{ name: 'Rangoli', site: 'https://gallery.example.org' }],
      ingredients: [
        { label: 'input-0', relationship: 'inputTo', title: 'Reference image' },
        { label: 'input-1', relationship: 'inputTo', title: 'Reference image' },
        { label: 'input-2', title: 'Remixed post', informational_URI: `${site.publicOrigin}/posts/1` },
      ],
      assertions: [{ label: 'c2pa.actions.v2', data: { actions: [created] } }],
    }
    const settings = { builder: { thumbnail: { enabled: false } } }
    const expected = { manifest, settings, algorithm: 'es256', timestampUrl: 'http://time.example.org/' }
    expect(readSigned(signed)).toMatchObject(expected)
  })

  test('reports what the library throws, and signs the next image, without a timestamp if there is none', async () => {
    const { signing } = await configure('http://down.example.org/')
    const onTimestampError = vi.fn()
    const sign = createSigner(signing, site, onTimestampError, libraryDouble)
    const [failed, signed] = await Promise.allSettled([
      sign(images.jpeg, { ...producer, model: 'a model that fails' }, nothing),
      sign(images.jpeg, producer, nothing),
    ])
    expect(failed).toMatchObject({ reason: { message: 'bad parameter' } })
    expect(signed.status).toBe('fulfilled')
    expect(onTimestampError).toHaveBeenCalledExactlyOnceWith(new Error('no timestamp'))
  })

  test('finds out why images are not signed', async () => {
    const { signing } = await configure()
    const { validFrom, validTo } = new X509Certificate(signing.certificate)
    const issueAt = (time: string, node = 'v22.0.0', library: string | null = libraryDouble) =>
      findSigningIssue(signing, node, Date.parse(time), library)?.text
    expect(issueAt(validTo)).toBeUndefined()
    expect(issueAt(validTo, 'v20.20.2')).toContain('requires Node 22 or newer, and this is v20.20.2')
    expect(issueAt(validTo, 'v22.0.0', null)).toContain('is not installed')
    const past = new Date(Date.parse(validFrom) - 1_000).toISOString()
    for (const time of [past, '2150-01-01']) expect(issueAt(time)).toContain(`valid from ${validFrom} to`)
  })

  test('is checked by doctor, which signs an image', async () => {
    const { config } = await configure()
    const check = async (library?: string, node = 'v22.0.0', checked = config) =>
      (await linesOf(checkSigning(checked, node, library))).join('\n')
    expect(await check(undefined, 'v20.19.0', parseConfig({}, '/srv'))).toMatch(/^ok: .*are not signed\.$/)
    expect(await check(undefined, 'v20.19.0')).toMatch(/^problem: .*requires Node 22/)
    expect(await check(libraryDouble)).toMatch(/^ok: Images are signed with the certificate of CN=gallery/)
    const { config: failing } = await configure('http://down.example.org/')
    expect(await check(libraryDouble, undefined, failing)).toMatch(/^problem: .*URL failed \(no t/m)
    expect(await check(missingBinary)).toMatch(/^problem: Images cannot be signed \(.*c2pa/)
  })
})
