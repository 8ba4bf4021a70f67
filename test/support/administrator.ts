import { sql } from 'kysely'
import type { TestUser, TestServer } from './test-server.ts'

/** Signs up an administrator. */
export async function signUpAdministrator(server: TestServer, name = 'Meera Iyer'): Promise<TestUser> {
  const user = await server.signUp(name)
  await sql`UPDATE "user" SET role = 'administrator' WHERE id = ${user.id}`.execute(server.services.db)
  return user
}
