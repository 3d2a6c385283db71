/** Interprets the answer to the login call, the only call without a session (crm-contract 4). */
import { type } from 'arktype'
import { refusalReasons } from '#schemas/api-error.ts'
import { loginAnswer, type Session } from '#schemas/device/session.ts'
import type { Answer } from './outcome.ts'

/**
 * `refused`: with the CRM's text for a 400, [] for other refusals. `busy`: 429 or 503, or the call was not made because
 * the last `Retry-After` is not over (RULES OC10). `unexpected`: a 5xx, a redirect, or a body that does not parse.
 */
export type LoginResult =
  | { kind: 'signed-in'; session: Session }
  | { kind: 'refused'; reasons: string[] }
  | { kind: 'unreachable' | 'busy' }
  | { kind: 'unexpected'; status: number }

export function login(answer: Answer, userName: string): LoginResult {
  if (answer.kind === 'no-answer') return { kind: 'unreachable' }
  const { status, body } = answer
  if (status === 200) {
    const parsed = loginAnswer(body)
    if (parsed instanceof type.errors) return { kind: 'unexpected', status }
    return { kind: 'signed-in', session: { ...parsed, userName, expired: false } }
  }
  if (status === 400) return { kind: 'refused', reasons: refusalReasons(body) }
  if (status === 429 || status === 503) return { kind: 'busy' }
  return status >= 400 && status < 500 ? { kind: 'refused', reasons: [] } : { kind: 'unexpected', status }
}
