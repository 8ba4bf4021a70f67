import { setRole } from '../../server/access/user-access.ts'
import type { TestUser, TestServer } from './test-server.ts'

/** Signs up an administrator. */
export async function signUpAdministrator(server: TestServer, name = 'Meera Iyer'): Promise<TestUser> {
  const user = await server.signUp(name)
  await setRole(server.services.db, user.id, 'administrator')
  return user
}
