import { describe, expect, test } from 'vitest'
import type { Viewer } from '../../../shared/viewer.ts'
import { clerkEnv, mintToken } from '../../../test/support/clerk.ts'
import { shareTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer({ env: clerkEnv({ CLERK_ADMINISTRATORS: 'user_boss, user_chief' }) })

function viewerWith(claims: Record<string, unknown>): Promise<Viewer | null> {
  const authorization = `Bearer ${mintToken({ azp: server().url, ...claims })}`
  return server().client({ authorization }).viewer.query()
}

test('reads the id from a default session token', async () => {
  expect(await viewerWith({})).toEqual({ id: 'user_asha', firstName: 'User', imageUrl: null, role: 'member' })
})

test('reads name and avatar from custom claims', async () => {
  expect(await viewerWith({ first_name: 'Asha', image_url: 'https://img.clerk.com/asha' })).toEqual({
    id: 'user_asha',
    firstName: 'Asha',
    imageUrl: 'https://img.clerk.com/asha',
    role: 'member',
  })
})

describe('the first name', () => {
  test.each([
    [{ first_name: 'Mary Ann' }, 'Mary Ann'],
    [{ firstName: 'रवि' }, 'रवि'],
    [{ given_name: 'Asha', name: 'Someone Else' }, 'Asha'],
    [{ name: 'Asha Rao' }, 'Asha'],
    [{ name: ' \u202eAsha\n Rao' }, 'Asha'],
    [{ first_name: '', name: 'Asha Rao' }, 'Asha'],
    [{ first_name: null, firstName: 5, given_name: ['a'], name: { a: 1 } }, 'User'],
    [{ first_name: ' \u200b ' }, 'User'],
    [{ first_name: 'x'.repeat(81) }, 'User'],
    [{ first_name: 'x'.repeat(80) }, 'x'.repeat(80)],
    [{ first_name: '<b>Asha</b>' }, '<b>Asha</b>'],
  ])('from the claims %j is %j', async (claims, firstName) => {
    expect(await viewerWith(claims)).toMatchObject({ firstName })
  })
})

describe('the image', () => {
  test.each([
    [{ imageUrl: 'https://img.clerk.com/a' }, 'https://img.clerk.com/a'],
    [{ picture: 'https://img.clerk.com/a' }, 'https://img.clerk.com/a'],
    [{ image_url: '', picture: 'https://img.clerk.com/a' }, 'https://img.clerk.com/a'],
    [{ image_url: 'http://img.clerk.com/a' }, null],
    [{ image_url: 'javascript:alert(1)' }, null],
    [{ image_url: 'data:image/svg+xml,<svg/>' }, null],
    [{ image_url: '/a.jpg' }, null],
    [{ image_url: 5, imageUrl: null, picture: ['https://img.clerk.com/a'] }, null],
  ])('from the claims %j is %j', async (claims, imageUrl) => {
    expect(await viewerWith(claims)).toMatchObject({ imageUrl })
  })
})

describe('an administrator', () => {
  test.each(['user_boss', 'user_chief'])('is %s, listed in CLERK_ADMINISTRATORS', async (sub) => {
    expect(await viewerWith({ sub })).toMatchObject({ id: sub, role: 'administrator' })
  })

  test.each([
    { sub: 'user_bos' },
    { sub: 'user_bossy' },
    { sub: 'user_BOSS' },
    { role: 'administrator', org_role: 'org:admin', metadata: { role: 'administrator' } },
  ])('is not the user with the claims %j', async (claims) => {
    expect(await viewerWith(claims)).toMatchObject({ role: 'member' })
  })
})
