import { sql } from 'kysely'
import type { TestPerson, TestServer } from './test-server.ts'

/** Signs somebody up who may delete and hide any post. */
export async function signUpAdministrator(server: TestServer, name = 'Meera Iyer'): Promise<TestPerson> {
  const person = await server.signUp(name)
  await sql`UPDATE user SET role = 'administrator' WHERE id = ${person.id}`.execute(server.services.db)
  return person
}
