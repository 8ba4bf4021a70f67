import * as fc from 'fast-check'
import type { Delivery, FuzzRequest } from './fuzz-request.ts'
import { mcpCall } from './mcp-calls.ts'
import { procedureCall } from './procedure-calls.ts'
import { proceduresUnderTest } from './procedure-inputs.ts'
import { accountCall, oddCall, pageCall, routeCall, type RouteUnderTest } from './route-calls.ts'
import { strangeHeader } from './strange-headers.ts'

const delivery: fc.Arbitrary<Delivery> = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Delivery>('whole') },
  { weight: 3, arbitrary: fc.constantFrom<Delivery>('chunks', 'pieces') },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Delivery>(
      'too short',
      'too long',
      'two lengths',
      'endless',
      'length and chunks',
      'broken chunks',
      'no length',
      'twice',
      'aborted in the body',
      'aborted before the response',
      'aborted in the response',
    ),
  },
)

/** Requests to these routes and to every procedure, mostly valid in part. */
export function anyRequest(routes: readonly RouteUnderTest[]): fc.Arbitrary<FuzzRequest> {
  const question = fc.oneof(
    { weight: 16, arbitrary: procedureCall(proceduresUnderTest()) },
    { weight: 6, arbitrary: routeCall(routes) },
    { weight: 2, arbitrary: mcpCall() },
    { weight: 1, arbitrary: accountCall() },
    { weight: 3, arbitrary: pageCall },
    { weight: 2, arbitrary: oddCall },
  )
  return fc
    .record({
      question,
      who: fc.constantFrom<FuzzRequest['who']>('anonymous', 'Asha', 'Asha', 'Ravi', 'the token'),
      version: fc.oneof(
        { weight: 40, arbitrary: fc.constant('HTTP/1.1') },
        { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/3.7', 'x') },
      ),
      strange: fc.oneof(
        { weight: 5, arbitrary: fc.constant([]) },
        { weight: 3, arbitrary: fc.array(strangeHeader, { minLength: 1, maxLength: 3 }) },
      ),
      delivery,
    })
    .map(({ question: asked, who, version, strange, delivery: way }) => {
      const { method, target, headers, body } = asked
      return { who, version, method, target, headers: [...headers, ...strange], body, delivery: way }
    })
}
