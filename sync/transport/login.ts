/** Interprets the login call's answer (crm-contract 4). Login is the only call without a session. */
import { type } from 'arktype'
import { refusalReasons } from '#schemas/api-error.ts'
import { loginAnswer, type Session } from '#schemas/device/session.ts'
import type { Answer } from './outcome.ts'

export type LoginResult =
  | { kind: 'signed-in'; session: Session }
  /** For a 400: the CRM's own text. Other refusals have no text. */
  | { kind: 'refused'; reasons: string[] }
  | { kind: 'unreachable' }
  /** The CRM answered 429 or 503, or an earlier answer's wait is not over, so nothing was sent (RULES OC10). */
  | { kind: 'busy' }
  /** An unexpected status (5xx, a redirect, a page that is not the CRM's). */
  | { kind: 'unexpected'; status: number }

/** Interprets the answer to the login call. */
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
